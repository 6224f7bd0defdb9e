import MiniSearch from 'minisearch';
import { type DocPage, plain, type Section, summaryOf, titleOf } from './doc-page.ts';
import type { Library } from './library.ts';
import { renderMarkdown } from './render-markdown.ts';

/** A page, or a part of one below a second-level heading. */
export interface Found {
  /** With the anchor of the part. */
  readonly path: string;
  readonly page: string;
  /** Null for the beginning of the page. */
  readonly heading: string | null;
  /** Some words around one of those that were searched, or the summary. */
  readonly excerpt: string;
}

interface Part extends Omit<Found, 'excerpt'> {
  readonly id: number;
  readonly summary: string;
  readonly text: string;
  /** Examples, which are searched but not shown. */
  readonly code: string;
  /** Beginnings of pages count more than their parts; pages of single types and operations less, unless named. */
  readonly weight: number;
}

/** Sections whose pages are short, and have the same headings. */
const ALIKE: readonly Section[] = ['Errors', 'Queries', 'Mutations', 'Subscriptions', 'Types'];
const MOST_FOUND = 20;
const EXCERPT_CHARACTERS = 160;

/** Full-text search in all pages: every word must occur, at least as the beginning of one or with a typing mistake. */
export class DocSearch {
  readonly #parts: readonly Part[];
  readonly #index: MiniSearch<Part>;

  constructor(library: Library) {
    this.#parts = library.pages.flatMap(partsOf).map((part, id) => ({ ...part, id }));
    this.#index = new MiniSearch<Part>({
      fields: ['page', 'heading', 'text', 'code'],
      tokenize: wordsOf,
      searchOptions: {
        combineWith: 'AND',
        boost: { page: 4, heading: 3 },
        prefix: (word) => word.length > 2,
        fuzzy: (word) => (word.length > 4 ? 1 : false),
        boostDocument: (id: number) => this.#parts[id]?.weight ?? 1,
      },
    });
    this.#index.addAll(this.#parts);
  }

  /** The best matches first, at most 20. */
  find(query: string): Found[] {
    return this.#index
      .search(query)
      .slice(0, MOST_FOUND)
      .flatMap(({ id, terms }) => {
        const part = this.#parts[id];
        return part
          ? [{ path: part.path, page: part.page, heading: part.heading, excerpt: excerptOf(part, terms) }]
          : [];
      });
  }
}

/** Words in lower case; names such as `publishVideo` and `RATE_LIMIT` also in their parts. */
function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => {
    const parts = word.split(/_|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u).filter((part) => part !== '');
    return parts.length > 1 ? [word, ...parts] : parts;
  });
}

function partsOf(page: DocPage): Omit<Part, 'id'>[] {
  const [title, summary] = [titleOf(page), summaryOf(page)];
  const [start = '', ...rest] = splitAtHeadings(page.markdown);
  const isWhole = ALIKE.includes(page.section);
  const common = { page: title, summary, weight: isWhole ? 0.5 : 1 };
  if (isWhole) return [{ ...common, path: page.path, heading: null, ...textsOf(page.markdown) }];
  const { headings } = renderMarkdown(page.markdown);
  return [
    { ...common, path: page.path, heading: null, weight: 2, ...textsOf(start) },
    ...headings.map(({ id, text }, index) => {
      return { ...common, path: `${page.path}#${id}`, heading: text, ...textsOf(rest[index] ?? '') };
    }),
  ];
}

/** The text before the first second-level heading, and after each of them. */
function splitAtHeadings(markdown: string): string[] {
  const parts: string[] = [''];
  let inCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) inCode = !inCode;
    if (!inCode && line.startsWith('## ')) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${line}\n`);
  }
  return parts;
}

/** Prose without Markdown syntax and the title, and what is in code blocks. */
function textsOf(markdown: string): Pick<Part, 'text' | 'code'> {
  const blocks: string[] = [];
  const prose = markdown.replace(/^```.*\n([\s\S]*?)^```$/gm, (_, block: string) => {
    blocks.push(block);
    return '';
  });
  const text = plain(prose.replace(/^# .*$|^\|[-| :]+$/gm, ''))
    .replace(/\||^#+ /gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return { text, code: blocks.join('\n') };
}

function excerptOf({ heading, summary, text }: Part, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  // The longest word says most.
  const [at] = [...terms]
    .sort((a, b) => b.length - a.length)
    .map((term) => lower.indexOf(term))
    .filter((place) => place >= 0);
  if (at === undefined) return heading === null ? summary : cut(text, 0);
  return cut(text, Math.max(0, text.lastIndexOf(' ', Math.max(0, at - EXCERPT_CHARACTERS / 3)) + 1));
}

function cut(text: string, from: number): string {
  const rest = text.slice(from);
  const short =
    rest.length > EXCERPT_CHARACTERS ? `${rest.slice(0, rest.lastIndexOf(' ', EXCERPT_CHARACTERS))} …` : rest;
  return from > 0 ? `… ${short}` : short;
}
