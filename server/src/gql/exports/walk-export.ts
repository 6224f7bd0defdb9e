import { ID_KEY } from './export-document.ts';
import type { ExportPosition, PositionBelow } from './export-position.ts';
import type { PagedList } from './page-documents.ts';

/** A page as the API returns it. */
export interface ExportedPage {
  readonly edges: ReadonlyArray<{ readonly cursor?: string; readonly node: Record<string, unknown> }>;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** A part of an export, and where it continues behind it. */
export interface ExportStep {
  /** Whole lines, each with its newline. */
  readonly text: string;
  readonly lines: number;
  readonly position: ExportPosition;
}

/** Reads a page of a list after a cursor: of the object `parent`, or of the exported connection. Null: it is gone. */
export type ReadPage = (list: PagedList, parent: string | null, after: string | null) => Promise<ExportedPage | null>;

/**
 * Walks an export from a position to its end: an object, the objects of its lists, then the next object. Never more
 * than a page of each level is in memory. It may be left after any step.
 */
export function walkExport(root: PagedList, from: ExportPosition, readPage: ReadPage): AsyncGenerator<ExportStep> {
  return new Walk(readPage).list(root, null, from);
}

class Walk {
  readonly #readPage: ReadPage;

  constructor(readPage: ReadPage) {
    this.#readPage = readPage;
  }

  /** The rest of a list. */
  async *list(list: PagedList, parent: string | null, from: ExportPosition): AsyncGenerator<ExportStep> {
    let { after } = from;
    if (from.below) yield* under(after, this.#rest(list, from.below));
    for (;;) {
      const page = await this.#readPage(list, parent, after);
      if (!page) return;
      yield* this.#page(list, parent, page);
      const { hasNextPage, endCursor } = page.pageInfo;
      if (!hasNextPage) return;
      if (endCursor === null) throw new Error(`A page of ${list.path} has no end`);
      after = endCursor;
    }
  }

  /** What is left of the lists of an object. */
  async *#rest(list: PagedList, below: PositionBelow): AsyncGenerator<BelowStep> {
    const { list: key, parent, ...position } = below;
    const at = list.nested.findIndex((nested) => nested.key === key);
    if (at < 0) throw new Error(`${list.path} has no list ${key}`);
    for (const [index, nested] of list.nested.slice(at).entries())
      yield* of(nested.key, parent, this.list(nested, parent, index === 0 ? position : { after: null }));
  }

  async *#page(list: PagedList, parent: string | null, page: ExportedPage): AsyncGenerator<ExportStep> {
    const { edges, pageInfo } = page;
    if (list.nested.length === 0) {
      let text = '';
      for (const { node } of edges) text += lineOf(node, list, parent);
      if (text !== '') yield { text, lines: edges.length, position: { after: pageInfo.endCursor } };
      return;
    }
    for (const { cursor = null, node } of edges) yield* this.#object(list, parent, cursor, node);
  }

  /** An object with its lists. */
  async *#object(
    list: PagedList,
    parent: string | null,
    cursor: string | null,
    node: Record<string, unknown>,
  ): AsyncGenerator<ExportStep> {
    const id = node[ID_KEY];
    const pages = list.nested.flatMap((nested) => {
      const page = (node[nested.key] ?? null) as ExportedPage | null; // as its document selects it
      // What is undefined is not written.
      node[nested.key] = undefined;
      return page && typeof id === 'string' ? [{ nested, page, id }] : [];
    });
    node[ID_KEY] = undefined;
    const [first] = pages;
    const begun = first ? { below: { list: first.nested.key, parent: first.id, after: null } } : {};
    yield { text: lineOf(node, list, parent), lines: 1, position: { after: cursor, ...begun } };
    for (const { nested, page, id: own } of pages)
      yield* under(cursor, of(nested.key, own, this.#all(nested, own, page)));
    if (first) yield { text: '', lines: 0, position: { after: cursor } };
  }

  /** A list whose first page was read with its object. */
  async *#all(list: PagedList, parent: string, first: ExportedPage): AsyncGenerator<ExportStep> {
    yield* this.#page(list, parent, first);
    const { hasNextPage, endCursor } = first.pageInfo;
    if (hasNextPage) yield* this.list(list, parent, { after: endCursor });
  }
}

interface BelowStep extends Omit<ExportStep, 'position'> {
  readonly position: PositionBelow;
}

/** Steps of a list, as positions in the object that has it. */
async function* of(key: string, parent: string, steps: AsyncIterable<ExportStep>): AsyncGenerator<BelowStep> {
  for await (const step of steps) yield { ...step, position: { list: key, parent, ...step.position } };
}

/** Steps below an object, as positions in the object's list. */
async function* under(after: string | null, steps: AsyncIterable<BelowStep>): AsyncGenerator<ExportStep> {
  for await (const step of steps) yield { ...step, position: { after, below: step.position } };
}

/** Objects of nested lists say whose they are, and in which list. */
function lineOf(node: Record<string, unknown>, list: PagedList, parent: string | null): string {
  if (parent !== null) {
    node.__parentId = parent;
    node.__parentField = list.key;
  }
  // It escapes line breaks and lone surrogates, so that a line is one line of valid UTF-8.
  return `${JSON.stringify(node)}\n`;
}
