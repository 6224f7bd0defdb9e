/** What Apollo Client passes to the functions of a policy, as far as these use it. */
export interface PolicyOptions {
  readonly args: Arguments;
  readField(name: string, from: unknown): unknown;
  canRead(value: unknown): boolean;
}

type Arguments = Readonly<Record<string, unknown>> | null;
type PageInfo = Readonly<Record<string, unknown>>;

/** An entry; a reference to one in caches that are configured so. */
export type Edge = Readonly<Record<string, unknown>>;

/** A list as it is stored: the pages that were read, joined. */
export interface StoredList {
  readonly edges?: readonly Edge[];
  readonly pageInfo?: PageInfo;
  readonly held?: Held;
  readonly [field: string]: unknown;
}

/** What a stored list knows about itself. */
export interface Held {
  /** Size of the largest first page that was read. */
  readonly size?: number;
  /** Whether a first page of the platform's own size was read. */
  readonly byDefault?: boolean;
  /** Whether there are no further entries. */
  readonly isComplete?: boolean;
  /** Pages after cursors that are not in the list. */
  readonly apart?: Readonly<Record<string, StoredList>>;
}

/** Fields of PageInfo about one end of a list. */
export interface End {
  readonly more: 'hasNextPage' | 'hasPreviousPage';
  readonly cursor: 'endCursor' | 'startCursor';
}

/** What the arguments of a list ask for, read from the end that they name. */
export interface Wanted {
  /** Only entries after it. */
  readonly cursor: string | null;
  /** Number of entries; null for the platform's own. */
  readonly size: number | null;
  /** The end where reading begins, and the other one. */
  readonly near: End;
  readonly far: End;
  /** Entries in the order of reading, or back in that of the list. */
  order(edges: readonly Edge[]): readonly Edge[];
}

const START: End = { more: 'hasPreviousPage', cursor: 'startCursor' };
const END: End = { more: 'hasNextPage', cursor: 'endCursor' };

export function wantedBy(args: Arguments): Wanted {
  const isForward = args?.last == null;
  const [cursor, size] = isForward ? [args?.after, args?.first] : [args.before, args.last];
  return {
    cursor: typeof cursor === 'string' ? cursor : null,
    size: typeof size === 'number' ? size : null,
    near: isForward ? START : END,
    far: isForward ? END : START,
    order: (edges) => (isForward ? edges : [...edges].reverse()),
  };
}

/** The arguments that make a list another one. Lists that are read from their end are separate, by their size. */
export function keyOfList(others: readonly string[], args: Arguments): readonly string[] | false {
  const names = [...others, ...(args?.last == null ? ['before'] : ['last', 'after'])];
  const given = names.filter((name) => args?.[name] != null);
  return given.length > 0 ? given : false;
}
