// ---- Positions of ops: one row each in tape order, long edges in lanes beside them

const baseName = file => file.split("/").at(-1);

// Consecutive ops that one call of a module recorded; in a long tape, the rest by fifties. The next
// call from the same line begins when the module's first line recurs.
function groupsOf() {
	const groups = [];
	let current = null,
		first = null;
	ops.forEach((op, i) => {
		const module = op.caller && op.loc ? op.caller.join(":") : null;
		const again =
			current &&
			op.loc &&
			first === op.loc.join(":") &&
			current.file === op.loc[0] &&
			ops[i - 1].loc?.join(":") !== first;
		if (!current || current.module !== module || again || (!module && current.ops.length === 50)) {
			first = op.loc?.join(":");
			current = { module, file: op.loc?.[0], ops: [], open: true };
			groups.push(current);
		}
		current.ops.push(i);
	});
	for (const group of groups) {
		const op = ops[group.ops[0]];
		group.heads = group.ops.length > 1 && (group.module !== null || ops.length > 60);
		group.label = group.module
			? baseName(op.loc[0]).replace(/\.\w+$/, "") +
				"  (" +
				baseName(op.caller[0]) +
				":" +
				op.caller[1] +
				")"
			: title(op) + " … " + title(ops[group.ops.at(-1)]);
		group.open = ops.length <= 60;
	}
	return groups;
}
const groups = groupsOf();
const groupOf = new Map(groups.flatMap(group => group.ops.map(i => [i, group])));

const ROW = 74,
	CHIP = 46,
	HEAD = 30,
	CHIP_X = 4,
	CHIP_WIDTH = 128,
	BOX_X = 156,
	BOX_WIDTH = 190,
	LANE_X = 358,
	LANE = 11;

// Rows from top to bottom: {y, height, op} or {y, height, group}; and edges between rows.
function layOut(opened = new Set(groups.filter(group => group.open))) {
	const rows = [],
		rowOfOp = new Map(),
		seen = new Set();
	let y = 6;
	for (const group of groups) {
		if (group.heads) {
			rows.push({ y, height: HEAD, group });
			y += HEAD + 6;
		}
		if (group.heads && !opened.has(group)) {
			group.ops.forEach(i => rowOfOp.set(i, rows.length - 1));
			continue;
		}
		for (const i of group.ops) {
			const chips = [...new Set(ops[i].in)].filter(v => values[v].op < 0);
			const height = Math.max(ROW, chips.length * CHIP + 8);
			rows.push({
				y,
				height,
				op: i,
				chips: chips.map(value => ({ value, again: seen.has(value) })),
			});
			chips.forEach(value => seen.add(value));
			rowOfOp.set(i, rows.length - 1);
			y += height + 14;
		}
	}
	return { rows, rowOfOp, height: y, ...lanes(rowOfOp) };
}

// A value used later than in the next row gets a lane, from its row to its last use: the leftmost
// one that is free there.
function lanes(rowOfOp) {
	const near = [],
		far = new Map();
	ops.forEach((op, i) => {
		for (const v of new Set(op.in)) {
			if (values[v].op < 0) continue;
			const from = rowOfOp.get(values[v].op),
				to = rowOfOp.get(i);
			if (from === to) continue;
			if (to === from + 1) near.push({ from, to, value: v });
			else far.set(v, { from, to: [...(far.get(v)?.to ?? []), to], value: v });
		}
	});
	const ends = [];
	for (const edge of [...far.values()].sort((a, b) => a.from - b.from)) {
		let lane = ends.findIndex(end => end <= edge.from);
		if (lane < 0) lane = ends.length;
		ends[lane] = Math.max(...edge.to);
		edge.lane = lane;
	}
	return { near, far: [...far.values()], lanes: ends.length };
}
