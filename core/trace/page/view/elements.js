// ---- The page's elements

const $ = id => document.getElementById(id);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
// make("p.note", "text", element): attributes may come first, as an object.
const SVG = "svg g rect path text title line polyline pattern defs circle".split(" ");
function make(kind, ...children) {
	const [tag, ...classes] = kind.split("."),
		element = SVG.includes(tag)
			? document.createElementNS("http://www.w3.org/2000/svg", tag)
			: document.createElement(tag);
	const attributes = children[0]?.constructor === Object ? children.shift() : {};
	if (classes.length) element.classList.add(...classes);
	for (const [name, value] of Object.entries(attributes)) {
		if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
		else if (name.startsWith("aria-"))
			element.setAttribute(name, value); // true and false become words
		else if (value === true) element.setAttribute(name, "");
		else if (value !== false && value !== null && value !== undefined)
			element.setAttribute(name, value);
	}
	element.append(...children);
	return element;
}
