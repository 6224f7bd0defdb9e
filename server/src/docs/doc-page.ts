import type { TryIt } from './try-it.ts';

/** A page of the documentation: Markdown, which is also served as HTML. */
export interface DocPage {
  /** Its path, such as /docs/guides/first-upload; the Markdown is at the same path with `.md`. */
  readonly path: string;
  /** The section that lists it. */
  readonly section: Section;
  /** Its links are addresses of this server. */
  readonly markdown: string;
  /** What the page lets people run; only in HTML. */
  readonly tryIt?: TryIt;
}

/** Sections of the documentation, in order. */
export const SECTIONS = [
  'Start',
  'Guides',
  'Reference',
  'Errors',
  'Project',
  'Queries',
  'Mutations',
  'Subscriptions',
  'Types',
] as const;
export type Section = (typeof SECTIONS)[number];

/** The first heading. A test checks that every page has one. */
export function titleOf({ markdown }: DocPage): string {
  return plain(/^# (.+)$/m.exec(markdown)?.[1] ?? '');
}

/** The first sentence after the title. */
export function summaryOf({ markdown }: DocPage): string {
  const paragraph = markdown.split(/\n{2,}/).find((part) => /^[\w`*[_]/.test(part)) ?? '';
  const text = paragraph.replace(/\s+/g, ' ');
  return plain(/^.+?[.!?](?= [A-Z`[*]|$)/.exec(text)?.[0] ?? text);
}

/** Text without Markdown syntax. */
export function plain(markdown: string): string {
  return markdown.replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replace(/[`*\\]/g, '');
}
