// What the browser keeps. Pages opened as files may share one store: a key begins with the page's name.
const place = name => `stepgrad ${location.pathname.split("/").pop()} ${name}`;

export function kept(name, otherwise) {
	try {
		return JSON.parse(localStorage.getItem(place(name))) ?? otherwise;
	} catch {
		return otherwise;
	}
}
// Whether it could be kept.
export function keep(name, value) {
	try {
		if (value === undefined) localStorage.removeItem(place(name));
		else localStorage.setItem(place(name), JSON.stringify(value));
		return true;
	} catch {
		return false;
	}
}
// Calls f() when another tab has changed the value of name().
export const whenChanged = (name, f) => addEventListener("storage", ({ key }) => key === place(name()) && f());
