/** Most suggestions for one word. */
const MOST = 3;
/** What people type for the words of other command lines. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  ls: ['list'],
  rm: ['delete', 'remove'],
  del: ['delete'],
  remove: ['delete', 'remove-member'],
  destroy: ['delete'],
  get: ['show'],
  view: ['show'],
  info: ['show'],
  describe: ['show'],
  new: ['create', 'add'],
  add: ['create', 'invite'],
  create: ['add'],
  edit: ['update'],
  update: ['edit', 'settings'],
  set: ['update', 'settings'],
  ban: ['block'],
  unban: ['unblock'],
};

/** The candidates that a mistyped word may stand for: those that begin with it, and those a few letters away. */
export function nearest(word: string, candidates: readonly string[]): string[] {
  const typed = word.toLowerCase();
  const scored = [...new Set(candidates)].flatMap((candidate) => {
    const name = candidate.toLowerCase();
    if (SYNONYMS[typed]?.includes(name)) return [{ candidate, score: 0 }];
    const edits = distance(typed, name);
    if (edits <= Math.max(1, Math.floor(Math.max(typed.length, name.length) * 0.4)))
      return [{ candidate, score: edits }];
    return typed.length > 1 && name.startsWith(typed) ? [{ candidate, score: MOST }] : [];
  });
  const best = Math.min(...scored.map(({ score }) => score));
  return scored
    .filter(({ score }) => score === best)
    .map(({ candidate }) => candidate)
    .slice(0, MOST);
}

/** Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other. */
export function distance(from: string, to: string): number {
  let [before, previous]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, previous] = [previous, current];
  }
  return previous[to.length] ?? 0;
}

/** `a`, `a or b`, `a, b or c`. */
export function either(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
