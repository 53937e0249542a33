// Python in a worker, which it holds: what the page says to it, and hears.
import { say } from "./words.js";

const element = id => document.getElementById(id);
function bytesOf(base64) {
	const text = atob(base64),
		bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
	return bytes;
}
const unpacked = async bytes =>
	new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();

// The page's parts, unpacked and compiled once for all workers.
async function readParts() {
	const part = id => bytesOf(element(id).textContent);
	const text = async id => new TextDecoder().decode(await unpacked(part(id)));
	const module = unpacked(part("wasm")).then(bytes => WebAssembly.compile(bytes));
	const scripts = [await text("glue"), await text("loader"), element("worker").textContent];
	const lock = element("lock").textContent;
	return {
		script: URL.createObjectURL(new Blob([scripts.join("\n")], { type: "text/javascript" })),
		given: {
			module: await module,
			lock,
			modules: part("modules"),
			files: {
				"pyodide.asm.wasm": new Uint8Array(),
				"python_stdlib.zip": part("stdlib"),
				"pyodide-lock.json": lock,
			},
		},
	};
}

export class Python {
	waiting = new Map(); // id -> {heard, resolve}
	count = 0;
	onBusy; // (whether it computes): its user's
	// state(key, values): says how it is
	constructor(state) {
		this.state = state;
		this.start();
	}

	// why: what cells that wait for an answer are told
	start(why = "") {
		this.why = why;
		const began = performance.now();
		this.worker?.terminate();
		this.used = false;
		for (const { resolve } of this.waiting.values()) resolve(null);
		this.waiting.clear();
		this.onBusy?.(false);
		const own = (this.ready = new Promise(resolve => (this.isReady = resolve)).then(() =>
			this.state("ready", { s: ((performance.now() - began) / 1000).toFixed(1) }),
		));
		this.begin(own).catch(error => this.state("broken", { why: error.message }));
	}
	async begin(own) {
		this.state(Python.parts ? "starting" : "unpacking");
		const { script, given } = await (Python.parts ??= readParts());
		if (own !== this.ready) return; // started anew meanwhile
		this.state("starting");
		const worker = (this.worker = new Worker(script));
		worker.onmessage = ({ data }) => worker === this.worker && this.hear(data);
		worker.onerror = ({ message }) => this.state("broken", { why: message });
		worker.postMessage({ start: given });
	}

	hear({ loading, ready, id, kind, text, answer, ended }) {
		if (loading) this.state(loading);
		if (ready) this.isReady();
		if (ended !== undefined && id === undefined) this.state("broken", { why: ended });
		else if (ended !== undefined) {
			this.start(say("ended", { why: ended }));
		}
		const asked = this.waiting.get(id);
		if (kind) asked?.heard({ kind, text });
		if (answer !== undefined) {
			this.waiting.delete(id);
			this.onBusy?.(this.busy);
			asked?.resolve(answer);
		}
	}

	get busy() {
		return this.waiting.size > 0;
	}
	// What a function of session.py answers, or null if Python ended first. heard({kind, text}): output
	async ask(name, given, heard = () => {}) {
		await this.ready;
		return new Promise(resolve => {
			const id = ++this.count;
			this.waiting.set(id, { heard, resolve });
			this.onBusy?.(true);
			this.worker.postMessage({ id, ask: name, with: given });
		});
	}
	// The same while a cell runs, or none can yet: nothing.
	askIdle(name, ...given) {
		return this.busy || !this.worker ? Promise.resolve(null) : this.ask(name, given);
	}
}
