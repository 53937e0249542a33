// Elements, which say their words in the page's language.
import DOMPurify from "dompurify";
import { marked } from "marked";
import { language, say } from "./words.js";

export const element = (tag, more = {}, ...inside) => {
	const made = Object.assign(document.createElement(tag), more);
	made.append(...inside);
	return made;
};
// A button that shows a sign, and whose name is a word.
export function button(sign, label, onclick) {
	const made = element("button", { type: "button", onclick }, sign);
	made.dataset.label = label;
	return made;
}
const clean = html => DOMPurify.sanitize(html, { RETURN_DOM_FRAGMENT: true, FORBID_TAGS: ["style", "form"] });
export const markdown = text => clean(marked.parse(text));

// What a cell shows. A page runs scripts, and sees nothing of this one but its language, its name.
export function shown({ kind, text }) {
	if (kind === "html") return element("div", { className: "html", tabIndex: 0 }, clean(text));
	if (kind === "page") {
		const frame = element("iframe", { srcdoc: text, title: say("tape"), name: language });
		frame.setAttribute("sandbox", "allow-scripts allow-modals");
		return frame;
	}
	return element("pre", { className: kind }, text);
}

export function download(name, type, text) {
	const href = URL.createObjectURL(new Blob([text], { type }));
	element("a", { href, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
