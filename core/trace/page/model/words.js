// ---- The page's texts, in three languages

const LANGUAGES = ["en", "ko", "zh"],
	WORDS = {}; // texts.js
// {KEY: [ENGLISH, KOREAN, CHINESE]} from a table of lines: KEY | ENGLISH | KOREAN | CHINESE.
const rowsOf = text =>
	Object.fromEntries(
		text
			.trim()
			.split("\n")
			.map(line => line.split(" | "))
			.map(([key, ...row]) => [key, row]),
	);
let language = "en";
const inLanguage = row => row[LANGUAGES.indexOf(language)];
function word(key, with_ = {}) {
	// {n|term|terms}: the first if n is 1
	const text = inLanguage(WORDS[key])
		.replace(/\{(\w+)\|(.*?)\|(.*?)\}/g, (all, n, one, many) => (with_[n] === 1 ? one : many))
		.replace(/\{(\w+)\}/g, (all, name) => with_[name] ?? all);
	return language === "ko" ? particles(text) : text;
}

// Korean particles: w1[2, 3](이/가) -> 이 after a final consonant, as the text before it is read: a
// digit or letter by its name (3 삼, l 엘), letters without a vowel too (lr 엘알); a word by its sound
// (sum 섬, target 타깃, clone 클론, linear 리니어). (으)로 is 로 after ㄹ too.
function particles(text) {
	return text.replace(/([^\s]*?)\((이\/가|은\/는|을\/를|와\/과|으)\)(로?)/g, (all, before, pair, tail) => {
		const read = before.replace(/[\])}'"_.]+$/, ""),
			last = read.at(-1) ?? "",
			code = last.charCodeAt(0) - 0xac00;
		const latin = read.match(/[a-z]+$/i)?.[0] ?? "",
			korean = code >= 0 && code < 11172;
		const isWord = latin.length > 1 && /[aeiouy]/i.test(latin);
		const closed = korean
			? code % 28 > 0
			: isWord
				? /([mnl]|ng|[mnl]e|(^|[^aeiou])[aeiou][ptkc]|[aeiou]ck|ook|oup|out)$/i.test(latin)
				: /[013678lmnr]/i.test(last);
		const liquid = korean ? code % 28 === 8 : (isWord ? /le?$/i : /[178lr]$/i).test(read);
		if (pair === "으") return before + (closed && !liquid ? "으로" : "로");
		const [first, second] = pair.split("/"),
			other = pair === "와/과";
		return before + (closed !== other ? first : second) + tail;
	});
}
