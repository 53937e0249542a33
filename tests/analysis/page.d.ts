// What page.html hands to the page's scripts, for page_names.js.
declare const textOf: (id: string) => string; // of the page's elements that are data
declare const loaded: Promise<void>; // when the last of them is there
