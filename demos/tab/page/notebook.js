// Notebooks as Jupyter reads and writes them: [[kind, source], ...] to text, and back.
const joined = source => (Array.isArray(source) ? source.join("") : source);

export function read(text) {
	const { cells } = JSON.parse(text);
	return cells.map(({ cell_type, source }) => [cell_type === "code" ? "code" : "markdown", joined(source)]);
}

// outputs: what each cell has shown, [[{kind, text}, ...], ...]
export function written(cells, outputs, numbers) {
	const shown = ({ kind, text }) =>
		kind === "html"
			? { output_type: "display_data", metadata: {}, data: { "text/html": text } }
			: kind === "error"
				? { output_type: "error", ename: "", evalue: "", traceback: text.split("\n") }
				: { output_type: "stream", name: "stdout", text };
	const cell = ([cell_type, source], i) => ({
		cell_type,
		id: "cell-" + i,
		metadata: {},
		source,
		...(cell_type === "code" && {
			execution_count: numbers[i] ?? null,
			outputs: outputs[i].filter(({ kind }) => kind !== "page").map(shown),
		}),
	});
	const kernelspec = { name: "stepgrad", display_name: "stepgrad (C++)", language: "python" };
	return JSON.stringify({ cells: cells.map(cell), metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 }, null, 1);
}
