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
			current = { module, file: op.loc?.[0], ops: [] };
			groups.push(current);
		}
		current.ops.push(i);
	});
	for (const group of groups) {
		const op = ops[group.ops[0]];
		group.heads = group.ops.length > 1 && (group.module !== null || ops.length > 60);
		group.label = group.module
			? baseName(op.loc[0]).replace(/\.\w+$/, "") + "  (" + baseName(op.caller[0]) + ":" + op.caller[1] + ")"
			: title(op) + " … " + title(ops[group.ops.at(-1)]);
		group.parts = modulesIn(group.ops);
		const [one, ...rest] = group.parts;
		if (group.module && one.ops && rest.every(i => !i.ops && !pathOf(ops[i])))
			Object.assign(group, {
				name: one.name,
				label: one.label + "  " + group.label,
				parts: [...one.parts, ...rest],
			});
	}
	return once(groups);
}

// The modules that an op is in, by the parameters that it reads: blocks.0.attention.W_Q is in blocks.0, and
// there in attention. undefined: it reads none.
function pathOf(op) {
	const paths = op.in
		.filter(v => values[v].op < 0 && values[v].wants && values[v].name)
		.map(v => values[v].name.split(/\.(?!\d+(?:\.|$))/).slice(0, -1));
	const [first, ...others] = paths,
		apart = first?.findIndex((name, k) => others.some(path => path[k] !== name));
	return apart >= 0 ? first.slice(0, apart) : first;
}
const following = name => name.replace(/(^|\.)(\d+)$/, (_, dot, n) => dot + (+n + 1)), // of blocks.0: blocks.1
	kinds = list => list.map(i => ops[i].op + values[ops[i].out].shape).join();

// Ops in their order, as ops and as modules of several ops, which have such parts in turn. An op that reads
// no parameter is in a module if it is between two of its ops, or at its end before the next of a list: the
// sum at the end of blocks.0, and so the one at the end of the last.
function modulesIn(list, depth = 0) {
	const names = list.map(i => pathOf(ops[i])).map(path => path && (path[depth] ?? "")),
		known = [...names.keys()].filter(k => names[k] !== undefined);
	let ends = { of: null, kinds: "", n: 0 }; // how the one before the last ends
	known.forEach((k, at) => {
		const next = known[at + 1] ?? list.length,
			name = names[k],
			rest = n => kinds(list.slice(k + 1, Math.min(next, k + 1 + n)));
		if (!name) return;
		const goesOn = [name, following(name)].includes(names[next]),
			last = ends.of === name && rest(ends.n) === ends.kinds;
		if (goesOn || last) names.fill(name, k, goesOn ? next : k + 1 + ends.n);
		if (goesOn && names[next] !== name) ends = { of: names[next], kinds: rest(list.length), n: next - k - 1 };
	});
	const modules = [];
	list.forEach((i, k) => {
		const name = names[k];
		if (name && names[k - 1] === name) modules.at(-1).ops.push(i);
		else modules.push(name ? { name, ops: [i], heads: true } : i);
	});
	return once(modules.map(one => (one.ops?.length > 1 ? inner(one, depth) : (one.ops?.[0] ?? one))));
}
function inner(module, depth) {
	const parts = modulesIn(module.ops, depth + 1),
		[one] = parts,
		alone = one.ops?.length === module.ops.length;
	return alone
		? { ...module, label: module.name + " / " + one.label, parts: one.parts }
		: { ...module, label: module.name, parts };
}
// Equal modules of a list that follow one another, as one.
function once(parts) {
	const found = [];
	for (const part of parts) {
		const before = found.at(-1),
			last = before?.times ? before.parts.at(-1) : before;
		if (!last?.name || following(last.name) !== part.name || kinds(last.ops) !== kinds(part.ops)) {
			found.push(part);
			continue;
		}
		const all = [...(before.times ? before.parts : [before]), part];
		found[found.length - 1] = {
			ops: all.flatMap(one => one.ops),
			parts: all,
			times: all.length,
			heads: true,
			label: `${all[0].name} … ${part.label}  × ${all.length}`,
		};
	}
	return found;
}

const groups = groupsOf(),
	groupOf = new Map(), // of each op, the innermost
	openAtFirst = new Set();
(function settle(parts, within) {
	for (const part of parts.filter(one => one.ops)) {
		part.within = within;
		part.open = ops.length <= 60 && !part.times;
		if (part.open) openAtFirst.add(part);
		part.ops.forEach(i => groupOf.set(i, part));
		settle(part.parts, part);
	}
})(groups, null);
// The groups around an op that have a head, the innermost first.
function groupsOver(op) {
	const found = [];
	for (let group = groupOf.get(op); group; group = group.within) if (group.heads) found.push(group);
	return found;
}

const ROW = 74,
	CHIP = 46,
	HEAD = 30,
	CHIP_X = 4,
	CHIP_WIDTH = 128,
	BOX_X = 156,
	BOX_WIDTH = 190,
	LANE_X = 358,
	LANE = 11;

// Rows from top to bottom: {y, height, op} or {y, height, group, depth}; and edges between rows.
function layOut(opened = openAtFirst) {
	const rows = [],
		rowOfOp = new Map(),
		seen = new Set();
	let y = 6;
	const layOp = i => {
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
	};
	const lay = (part, depth) => {
		if (!part.ops) return layOp(part);
		if (part.heads) {
			rows.push({ y, height: HEAD, group: part, depth });
			y += HEAD + 6;
		}
		if (!part.heads || opened.has(part)) part.parts.forEach(one => lay(one, depth + (part.heads ? 1 : 0)));
		else part.ops.forEach(i => rowOfOp.set(i, rows.length - 1));
	};
	groups.forEach(group => lay(group, 0));
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
