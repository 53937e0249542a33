// In a worker, behind Pyodide's own scripts: Python. The page sends {start}, then {id, ask, with}; the
// answers are {loading}, {ready}, and for each id {id, kind, text} again and again, then {id, answer},
// or {ended: why} if Python itself has ended.
let session,
	now = 0;

// What is printed, at most a megabyte a cell. Many lines go together, or the page could not answer.
const output = {
	begin: () => Object.assign(output, { text: "", bytes: 0, sent: 0, since: 0 }),
	add(text) {
		if ((output.bytes += text.length) > 1e6) text = output.bytes - text.length > 1e6 ? "" : text + "\n…\n";
		output.text += text;
		const time = performance.now();
		if (time - output.since > 100) Object.assign(output, { since: time, sent: 0 });
		if (output.sent < 20) output.flush();
	},
	flush() {
		if (output.text) postMessage({ id: now, kind: "text", text: output.text });
		output.text = "";
		++output.sent;
	},
};

async function start({ module, lock, files, modules }) {
	// Pyodide asks for its files by fetch: here they are the page's own.
	self.fetch = async url => {
		const name = String(url.url ?? url)
			.split("/")
			.pop();
		if (!(name in files)) throw new TypeError(name + " is not part of this page");
		const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
		return new Response(files[name], { headers: { "content-type": type } });
	};
	// The page has compiled it, once for all workers.
	const streaming = WebAssembly.instantiateStreaming;
	WebAssembly.instantiateStreaming = async (response, imports) => {
		await response;
		WebAssembly.instantiateStreaming = streaming;
		return { module, instance: await WebAssembly.instantiate(module, imports) };
	};
	const own = "https://page.invalid/";
	const python = await loadPyodide({
		indexURL: own,
		packageBaseUrl: own,
		lockFileContents: lock,
		env: { HOME: "/home/pyodide" },
	});
	postMessage({ loading: "engine" });
	python.unpackArchive(modules, "zip", { extractDir: "/modules" });
	const decoder = new TextDecoder();
	const write = bytes => (output.add(decoder.decode(bytes, { stream: true })), bytes.length);
	python.setStdout({ write });
	python.setStderr({ write });
	python.setStdin({ error: true });
	python.registerJsModule("tab", {
		shown(kind, text) {
			output.flush();
			postMessage({ id: now, kind, text });
		},
	});
	output.begin();
	python.runPython("import sys; sys.path.insert(0, '/modules')");
	session = python.pyimport("session");
	postMessage({ ready: true });
}

onmessage = async ({ data: { start: parts, id, ask, with: given } }) => {
	try {
		if (parts) return await start(parts);
		now = id;
		output.begin();
		const answer = session[ask](...given);
		output.flush();
		postMessage({ id, answer });
	} catch (error) {
		// too deep for the browser's stack, or no memory left
		postMessage({ ended: String(error), id });
	}
};
