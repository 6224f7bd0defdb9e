// @ts-check
/**
 * The tokens of whisper.cpp as segments of text. Plain JavaScript, so that V8 can run without its compilers.
 */

/**
 * A part of what was said, in milliseconds.
 * @typedef {{ text: string, t0: number, t1: number }} Part
 */

/** What decoders of UTF-8 write for a part of a character. */
const PART_OF_CHARACTER = '\ufffd';
/** Remarks such as [MUSIC] and (applause). */
const REMARK_BEGINS = /^\s*[[(]/u;
const REMARK_ENDS = /[\])]\s*$/u;

/**
 * A token may be a part of a character, which is lost as a string of its own. Joins such tokens with those beside them,
 * by the whole text, which has all characters. Pure.
 * @param {string} whole The text of all tokens.
 * @param {readonly Part[]} tokens
 * @returns {Part[]}
 */
export function joinCharacters(whole, tokens) {
  /** @type {Part[]} */
  const parts = [];
  /** @type {Part | null} */
  let broken = null;
  let at = 0;
  for (const token of tokens) {
    const isPart = token.text === '' || token.text.includes(PART_OF_CHARACTER);
    const found = isPart ? -1 : whole.indexOf(token.text, broken === null ? at : at + 1);
    const isNext = broken === null ? found === at : found !== -1;
    if (!isNext) {
      broken = broken === null ? { ...token } : { ...broken, t1: token.t1 };
      continue;
    }
    if (broken !== null) parts.push({ ...broken, text: whole.slice(at, found) });
    broken = null;
    parts.push(token);
    at = found + token.text.length;
  }
  if (broken !== null && at < whole.length) parts.push({ ...broken, text: whole.slice(at) });
  return parts;
}

/**
 * Parts in segments, so that what was said and remarks about sounds are in different ones. Pure.
 * @param {readonly Part[]} parts
 * @returns {Part[][]}
 */
export function segmentsOf(parts) {
  /** @type {Part[][]} */
  const segments = [];
  let isAtEnd = true;
  let isRemark = false;
  for (const part of parts) {
    const begins = !isRemark && REMARK_BEGINS.test(part.text);
    if (isAtEnd || begins) segments.push([]);
    segments.at(-1)?.push(part);
    isRemark ||= begins;
    isAtEnd = isRemark && REMARK_ENDS.test(part.text);
    if (isAtEnd) isRemark = false;
  }
  return segments;
}
