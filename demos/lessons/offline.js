// A service worker: the server's answer, or, where there is none, what was read before.
addEventListener("fetch", event => event.respondWith(answer(event)));

async function answer(event) {
	const { request } = event;
	let found;
	try {
		found = await fetch(request);
	} catch (error) {
		const kept = await (await caches.open("stepgrad")).match(request);
		return kept ?? Promise.reject(error);
	}
	if (request.method === "GET" && found.status === 200) event.waitUntil(keep(request, found.clone()).catch(() => {})); // a full disk costs no answer
	return found;
}

async function keep(request, found) {
	await (await caches.open("stepgrad")).put(request, found);
}
