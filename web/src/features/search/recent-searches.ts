const KEY = 'reelgraph.searches';
const MOST = 12;

/** What was searched for in this browser, latest first; it is not sent anywhere. */
export function recentSearches(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored)
      ? stored.filter((each): each is string => typeof each === 'string').slice(0, MOST)
      : [];
  } catch {
    return []; // storage is blocked, or its content is invalid
  }
}

/** The list with this search at its beginning, once. */
export function withSearch(before: readonly string[], text: string): readonly string[] {
  const same = (each: string): boolean => each.toLowerCase() === text.toLowerCase();
  return [text, ...before.filter((each) => !same(each))].slice(0, MOST);
}

/** Those that begin like the text, or contain one of its beginnings in a later word; all for none. */
export function matchingSearches(searches: readonly string[], text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  return searches.filter((each) => {
    const known = each.toLowerCase();
    return known !== wanted && (known.startsWith(wanted) || known.includes(` ${wanted}`));
  });
}

export function rememberSearch(text: string): void {
  store(withSearch(recentSearches(), text));
}

export function forgetSearches(): void {
  store([]);
}

function store(searches: readonly string[]): void {
  try {
    if (searches.length > 0) localStorage.setItem(KEY, JSON.stringify(searches));
    else localStorage.removeItem(KEY);
  } catch {
    // storage is full or blocked: nothing is remembered
  }
}
