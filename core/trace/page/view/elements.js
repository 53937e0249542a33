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
		else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
	}
	element.append(...children);
	return element;
}

// An element's box in the window, and an event's place in it from 0 to 1. Of what `zoom` enlarges, WebKit
// tells the box before, less by how much the window is scrolled after, and events after: the header, as wide
// as the window, shows by how much it is.
function enlarged() {
	const root = document.documentElement,
		by = root.clientWidth / document.querySelector("header").getBoundingClientRect().width;
	return root.clientWidth >= 1900 && by > 1.1 ? by : 1;
}
function rectOf(element) {
	const { left, top, width, height } = element.getBoundingClientRect(),
		by = enlarged(),
		y = (top + scrollY) * by - scrollY;
	return {
		left: (left + scrollX) * by - scrollX,
		top: y,
		width: width * by,
		bottom: y + height * by,
	};
}
function placeOf({ clientX, clientY }, element) {
	const { left, top, width, bottom } = rectOf(element);
	return [(clientX - left) / width, (clientY - top) / (bottom - top)];
}

// A card on show, or a part of it.
const shownCard = (key, part = "") => document.querySelector(`#cards [data-card="${CSS.escape(key)}"] ${part}`);
const shownCell = (key, i) => shownCard(key, `:is(td[data-i="${i}"], canvas)`);
const clip = (text, n) => (text.length > n ? text.slice(0, n - 1) + "…" : text);
