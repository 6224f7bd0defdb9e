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
  /** @type {Part[]} */
  let broken = [];
  let at = 0;
  for (const token of tokens) {
    const isPart = token.text === '' || token.text.includes(PART_OF_CHARACTER);
    const found = isPart ? -1 : whole.indexOf(token.text, broken.length === 0 ? at : at + 1);
    if (found === -1 || (broken.length === 0 && found !== at)) {
      broken.push(token);
      continue;
    }
    if (broken.length > 0) parts.push(joined(broken, whole.slice(at, found)));
    broken = [];
    parts.push(token);
    at = found + token.text.length;
  }
  if (broken.length > 0 && at < whole.length) parts.push(joined(broken, whole.slice(at)));
  return parts;
}

/**
 * @param {readonly Part[]} tokens
 * @param {string} text
 */
function joined(tokens, text) {
  return { text, t0: tokens[0]?.t0 ?? 0, t1: tokens.at(-1)?.t1 ?? 0 };
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
    /** @type {boolean} */
    const begins = !isRemark && REMARK_BEGINS.test(part.text);
    if (isAtEnd || begins) segments.push([]);
    segments.at(-1)?.push(part);
    isRemark ||= begins;
    isAtEnd = isRemark && REMARK_ENDS.test(part.text);
    if (isAtEnd) isRemark = false;
  }
  return segments;
}
