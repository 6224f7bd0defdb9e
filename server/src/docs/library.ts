import { type DocPage, SECTIONS, type Section, summaryOf, titleOf } from './doc-page.ts';

/** All pages by address. */
export class Library {
  readonly pages: readonly DocPage[];
  readonly #byPath: ReadonlyMap<string, DocPage>;

  /** Throws when two pages have one address. */
  constructor(pages: readonly DocPage[]) {
    this.pages = [...pages].sort((a, b) => SECTIONS.indexOf(a.section) - SECTIONS.indexOf(b.section));
    this.#byPath = new Map(pages.map((page) => [page.path, page]));
    if (this.#byPath.size < pages.length) throw new Error('Two pages of the documentation have one address.');
  }

  find(path: string): DocPage | undefined {
    return this.#byPath.get(path);
  }

  of(section: Section): DocPage[] {
    return this.pages.filter((page) => page.section === section);
  }

  /** The links of a section with summaries; `suffix` is appended to each address. */
  list(section: Section, prefix = '', suffix = ''): string {
    return this.of(section)
      .map((page) => `* [${titleOf(page)}](${prefix}${page.path}${suffix}): ${summaryOf(page)}`)
      .join('\n');
  }
}
