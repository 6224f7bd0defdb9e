/** A page of a list. */
export interface Connection<Node = unknown> {
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
  readonly totalCount?: number;
}

/** The nodes of a connection. */
export type NodeOf<C extends Connection> = C['edges'][number]['node'];

/** Options of an iteration. */
export interface PageOptions {
  /** Entries per page, 1 to 100 (default: 50). */
  readonly pageSize?: number | undefined;
  /** Maximum number of entries (default: all). */
  readonly limit?: number | undefined;
  /** Starts after this cursor. */
  readonly after?: string | null | undefined;
}

/** Position and size of the page to request. */
export interface PageRequest {
  readonly first: number;
  readonly after: string | null;
}

const PAGE_SIZE = 50;

/**
 * All entries of a list, one after the other. A page is requested once the entries before it are consumed; ending the
 * loop requests nothing more. A second iteration reads the list again.
 */
export class Pages<C extends Connection> implements AsyncIterable<NodeOf<C>> {
  readonly #read: (page: PageRequest) => Promise<C | null>;
  readonly #options: PageOptions;

  constructor(read: (page: PageRequest) => Promise<C | null>, options: PageOptions = {}) {
    this.#read = read;
    this.#options = options;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<NodeOf<C>, void, undefined> {
    for await (const { node } of this.edges()) yield node as NodeOf<C>; // the nodes of C
  }

  /** Entries with their cursors. */
  async *edges(): AsyncGenerator<C['edges'][number], void, undefined> {
    for await (const page of this.pages()) yield* page.edges;
  }

  /** Whole pages, with totalCount. A list that is null has none. */
  async *pages(): AsyncGenerator<C, void, undefined> {
    const { pageSize = PAGE_SIZE, limit = Number.POSITIVE_INFINITY, after = null } = this.#options;
    let left = limit;
    for (let cursor: string | null | undefined = after; left > 0; ) {
      const page: C | null = await this.#read({ first: Math.min(pageSize, left), after: cursor ?? null });
      if (page === null) return;
      yield page;
      left -= page.edges.length;
      cursor = page.pageInfo.endCursor ?? page.edges.at(-1)?.cursor;
      if (!page.pageInfo.hasNextPage || cursor == null) return;
    }
  }

  /** All entries as an array. Set a limit: a list may be long. */
  async toArray(): Promise<NodeOf<C>[]> {
    const nodes: NodeOf<C>[] = [];
    for await (const node of this) nodes.push(node);
    return nodes;
  }
}
