/** One page of the documentation: Markdown, which is served as it is and as HTML. */
export interface DocPage {
  /** Where it is served, such as /docs/guides/first-upload; the Markdown is at the same address with `.md`. */
  readonly path: string;
  /** Whose list it stands in. */
  readonly section: Section;
  /** Links in it are addresses of this server. */
  readonly markdown: string;
}

/** Parts of the documentation, in the order they are listed. */
export const SECTIONS = [
  'Start',
  'Guides',
  'Reference',
  'Project',
  'Queries',
  'Mutations',
  'Subscriptions',
  'Types',
] as const;
export type Section = (typeof SECTIONS)[number];

/** The first heading. Every page has one, which a test makes sure of. */
export function titleOf({ markdown }: DocPage): string {
  return plain(/^# (.+)$/m.exec(markdown)?.[1] ?? '');
}

/** The first sentence after the title. */
export function summaryOf({ markdown }: DocPage): string {
  const paragraph = markdown.split(/\n{2,}/).find((part) => /^[\w`*[_]/.test(part)) ?? '';
  const text = plain(paragraph.replace(/\s+/g, ' '));
  return /^.+?[.!?](?= [A-Z]|$)/.exec(text)?.[0] ?? text;
}

/** Text without the marks of Markdown. */
export function plain(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*\\]/g, '');
}
