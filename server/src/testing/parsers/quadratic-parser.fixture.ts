/** Parsers that are quadratic in the length of their text, for the test that has to find them. */

/** Compares every line with all lines before it. */
export function readEarlierLines(text: string): number {
  const lines = text.split('\n');
  return lines.filter((line, at) => lines.slice(0, at).some((earlier) => earlier !== line)).length;
}

/** Takes one word after the other from the beginning of the list. */
export function takeWordByWord(text: string): number {
  const words = text.split(/[ "]/);
  let count = 0;
  while (words.shift() !== undefined) count += 1;
  return count;
}
