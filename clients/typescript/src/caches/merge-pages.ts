import { agree, combined } from './combine.ts';
import {
  type Edge,
  type End,
  type Held,
  type PolicyOptions,
  type StoredList,
  type Wanted,
  wantedBy,
} from './stored-list.ts';

/**
 * Adds a page to a stored list: in the place of the entries that it has, too, and before those that follow them. A page
 * that has nothing in common with the list replaces it, and one after an unknown cursor is kept apart.
 */
export function mergePages(
  existing: StoredList | null | undefined,
  incoming: StoredList | null,
  { args, readField }: PolicyOptions,
): StoredList | null {
  if (!incoming) return incoming;
  const old: StoredList = existing ?? {};
  if (!incoming.edges) return { ...old, ...incoming, ...withInfo({ ...incoming.pageInfo, ...old.pageInfo }) };
  const wanted = wantedBy(args);
  const { cursor, order } = wanted;
  const cursorOf = (edge: Edge) => readField('cursor', edge);
  const known = order(old.edges ?? []);
  const at = cursor === null ? -1 : known.findIndex((edge) => cursorOf(edge) === cursor);
  if (cursor !== null && at < 0) return keptApart(old, incoming, cursor);

  const keyOf = (edge: Edge) => referenceOf(readField('node', edge)) ?? cursorOf(edge);
  const isEnd = incoming.pageInfo?.[wanted.far.more] === false || incoming.edges.length < (wanted.size ?? 1);
  const { page, rest } = joined(known.slice(at + 1), order(withCursors(incoming)), keyOf);
  const keys = new Set(page.map(keyOf));
  const isOther = (edge: Edge) => !keys.has(keyOf(edge));
  const head = known.slice(0, at + 1).filter(isOther);
  const tail = isEnd ? [] : rest.filter(isOther);
  const edges = order([...head, ...page, ...tail]);
  const cursors = new Set(edges.map(cursorOf));
  const info = infoOf(old, incoming, cursors, {
    near: { end: wanted.near, isFromPage: head.length === 0, isMore: false },
    far: { end: wanted.far, isFromPage: tail.length === 0, isMore: !isEnd },
  });
  const held = heldOf(old, wanted, page.length, tail.length > 0, isEnd);
  return { ...old, ...incoming, edges, ...withInfo(info), held };
}

function heldOf(
  { held = {} }: StoredList,
  { cursor, size }: Wanted,
  length: number,
  isLonger: boolean,
  isEnd: boolean,
): Held {
  const isComplete = isLonger ? held.isComplete === true : isEnd;
  if (cursor !== null) return { ...held, isComplete };
  const before = isLonger ? held : {};
  return {
    ...held,
    isComplete,
    size: Math.max(before.size ?? 0, size ?? length),
    byDefault: size === null || before.byDefault === true,
  };
}

function keptApart(old: StoredList, incoming: StoredList, cursor: string): StoredList {
  const { edges, pageInfo, ...others } = incoming;
  const { held } = old;
  // Both are pages of this list, so their combination is one.
  const page = combined({ ...held?.apart?.[cursor] }, { edges, pageInfo }) as StoredList;
  return { ...old, ...others, held: { ...held, apart: { ...held?.apart, [cursor]: page } } };
}

/** The page with what is known of its entries, and the known entries that follow its last one. */
function joined(known: readonly Edge[], page: readonly Edge[], keyOf: (edge: Edge) => unknown) {
  const keys = known.map(keyOf);
  const isSame = agree(known.slice(0, page.length), page);
  const places = page.map((edge, index) => {
    const key = keyOf(edge);
    return key === undefined ? (isSame ? index : -1) : keys.indexOf(key);
  });
  const last = places.at(-1) ?? -1;
  return {
    page: page.map((edge, index) => combined(known[places[index] ?? -1], edge) as Edge), // of two such
    rest: last < 0 ? [] : known.slice(last + 1),
  };
}

/** Entries with the cursors that their page tells. */
function withCursors({ edges = [], pageInfo }: StoredList): readonly Edge[] {
  return edges.map((edge, index) => {
    const pageCursor = index === edges.length - 1 ? pageInfo?.endCursor : undefined;
    const cursor = pageCursor ?? (index === 0 ? pageInfo?.startCursor : undefined);
    return typeof cursor === 'string' ? { ...edge, cursor } : edge;
  });
}

interface EndOfPage {
  readonly end: End;
  /** Whether the page is at this end of the list. */
  readonly isFromPage: boolean;
  /** Whether there are entries beyond it, as far as can be said from their number. */
  readonly isMore: boolean;
}

function infoOf(
  { pageInfo: before = {} }: StoredList,
  { pageInfo: incoming = {} }: StoredList,
  cursors: ReadonlySet<unknown>,
  ends: { readonly near: EndOfPage; readonly far: EndOfPage },
): Record<string, unknown> {
  const info: Record<string, unknown> = { ...before, ...incoming };
  for (const { end, isFromPage, isMore } of [ends.near, ends.far]) {
    const names = [end.more, end.cursor];
    const cursor = before[end.cursor]; // null in an empty list
    const isGone = end.cursor in before && (cursor === null ? cursors.size > 0 : !cursors.has(cursor));
    const isKnown = !isGone && names.some((name) => name in before);
    for (const name of names) delete info[name];
    if (!isGone) Object.assign(info, only(before, names));
    if (isFromPage && end.more in info) info[end.more] = isMore;
    if (isFromPage || !isKnown) Object.assign(info, only(incoming, names));
  }
  return info;
}

function only(info: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(info).filter(([name]) => names.includes(name)));
}

/** Not a field without content: Apollo Client requests what is missing. */
function withInfo(info: Record<string, unknown>): Pick<StoredList, 'pageInfo'> {
  return Object.keys(info).length > 0 ? { pageInfo: info } : {};
}

function referenceOf(node: unknown): unknown {
  return typeof node === 'object' && node !== null && '__ref' in node ? node.__ref : undefined;
}
