// ---- The engine in WebAssembly, in a live page

// The functions of core/trace/engine.cpp. If one fails, its message becomes an Error.
class Engine {
	// Set by a page whose tape the engine makes: {tape, showSetup, dataSet, dataSetSaid, showResult}.
	static maker = null;
	static start() {
		return (Engine.one ??= Engine.unpacked());
	}
	static async unpacked() {
		await loaded; // it follows the scripts
		if (typeof WebAssembly === "undefined" || typeof DecompressionStream === "undefined")
			throw new Error(word("tooOld"));
		const unpack = async () => {
			const packed = new Blob([bytesOf(textOf("engine"))]).stream();
			return new Response(packed.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
		};
		const bytes = await unpack().catch(() => {
			throw new Error(word("notWhole"));
		});
		const module = await WebAssembly.compile(bytes).catch(() => {
			throw new Error(word("forbidden"));
		});
		const engine = new Engine(),
			system = engine.system(),
			imports = {};
		for (const { module: from, name } of WebAssembly.Module.imports(module))
			(imports[from] ??= {})[name] = system[name] ?? (() => (name.startsWith("__syscall") ? -44 : 0));
		engine.exports = (await WebAssembly.instantiate(module, imports)).exports;
		engine.exports._initialize();
		return engine;
	}
	// System calls: no environment, no files (ENOENT is 44), and the time.
	system() {
		const view = () => new DataView(this.exports.memory.buffer);
		return {
			environ_sizes_get(count, size) {
				view().setUint32(count, 0, true);
				view().setUint32(size, 0, true);
				return 0;
			},
			clock_time_get(_, __, at) {
				view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
				return 0;
			},
			proc_exit: code => {
				throw new Error(`the engine has ended with ${code}`);
			},
		};
	}

	get said() {
		return new TextDecoder().decode(
			new Uint8Array(this.exports.memory.buffer, this.exports.said(), this.exports.said_bytes()),
		);
	}
	ask(name, ...with_) {
		if (!this.exports[name](...with_)) throw new Error(this.said);
	}
	give(text) {
		const bytes = new TextEncoder().encode(text),
			at = this.exports.text(bytes.length);
		new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
	}
	floats(at, count) {
		return new Float32Array(this.exports.memory.buffer, at, count);
	}
	load(text) {
		this.give(text);
		this.ask("load");
	}
	run() {
		this.ask("run");
		return JSON.parse(this.said);
	}
	summary(at, columns, count) {
		this.ask("summary", at, columns, count);
		return JSON.parse(this.said);
	}
	loss() {
		return this.exports.loss();
	}
	// The numbers of a leaf, a constant or a mask, which may be written; null for an op's output.
	numbers(value, count) {
		const at = this.exports.numbers(value);
		return at ? this.floats(at, count) : null;
	}
}

// A tensor in the engine's memory. A large one can be read until the next run, or while it is kept.
// `crop`: the rows and columns shown.
function numbersInMemory(engine, { shape, at, crop }) {
	const count = product(shape),
		columns = Math.max(1, shape.at(-1) ?? 1),
		summary = engine.summary(at, columns, count);
	if (!summary.block) return new Numbers({ shape, data: engine.floats(at, count).slice(), ...summary });
	let all = engine.floats(at, count);
	const read = i => {
		if (!all.length) all = engine.floats(at, count);
		return all[i];
	}; // the memory has grown
	const first = [[0, Math.min(8, columns)]];
	return new Numbers({
		shape,
		...summary,
		read,
		crops: [crop ?? { rows: [[0, Math.min(8, count / columns)]], columns: first, v: "" }],
	});
}
