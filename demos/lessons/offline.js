// A service worker: the server's answer, or, where there is none, what was read before.
addEventListener("fetch", event => event.respondWith(answer(event.request)));

async function answer(request) {
	const cache = await caches.open("stepgrad");
	try {
		const found = await fetch(request);
		if (found.ok) await cache.put(request, found.clone());
		return found;
	} catch (error) {
		return (await cache.match(request)) ?? Promise.reject(error);
	}
}
