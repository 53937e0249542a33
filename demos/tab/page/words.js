// What the page says, in each language: words.txt has a line for each key.
import table from "./words.txt";

export const languages = ["en", "ko", "zh"];
const WORDS = {};
for (const line of table.trim().split("\n")) {
	const [key, ...words] = line.split(" | ");
	WORDS[key] = words;
}
export let language = "en";

export const say = (key, values = {}) =>
	WORDS[key][languages.indexOf(language)].replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
// A text that may be one for each language.
export const said = text => text?.[language] ?? text;

// Elements say their words again in another language: data-say is what they show, data-label their
// name, and data-n the number in it.
export function translate(root = document) {
	for (const element of root.querySelectorAll("[data-say], [data-label]")) {
		const { say: shown, label, n } = element.dataset;
		if (shown) element.textContent = say(shown, { n });
		if (label) element.ariaLabel = element.title = say(label, { n });
	}
}
export function choose(asked) {
	language = languages.find(each => asked.startsWith(each)) ?? "en";
	document.documentElement.lang = language;
	document.title = say("title");
	translate();
}
