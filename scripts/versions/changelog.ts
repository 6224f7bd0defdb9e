import type { ChangeKind, SchemaChange } from './schema-changes.ts';

/** A part of the changelog. */
export interface ChangelogSection {
  readonly title: string;
  /** What the changes are compared with, or why there are none. */
  readonly about: string;
  readonly changes: readonly SchemaChange[];
}

/** The sections of a version, by what its readers must do about them. */
const HEADINGS: readonly (readonly [kind: ChangeKind, heading: string])[] = [
  ['removed', 'Removed'],
  ['changed', 'Changed'],
  ['deprecated', 'Deprecated'],
  ['added', 'Added'],
];
const MAX_COLUMNS = 120;
const MARKS = { breaking: '**Breaking.** ', dangerous: '**Dangerous.** ', safe: '' } as const;

/** docs/versions/changelog.md: the latest section first. */
export function changelogPage(sections: readonly ChangelogSection[]): string {
  return `${[INTRODUCTION, ...sections.map(sectionText)].join('\n\n')}\n`;
}

const INTRODUCTION = `# Changelog of the GraphQL schema

Differences of the [versions](README.md) of the API, made from their contracts by \`npm run gen\`. **Breaking**: a
correct request or program can fail. **Dangerous**: a program that takes the values or types it knows for all there are
can misbehave.`;

function sectionText({ title, about, changes }: ChangelogSection): string {
  const parts = HEADINGS.flatMap(([kind, heading]) => {
    const lines = withoutParts(changes.filter((change) => change.kind === kind)).map(lineOf);
    return lines.length === 0 ? [] : [`### ${heading}\n\n${lines.join('\n')}`];
  });
  return [`## ${title}`, about, ...parts].join('\n\n');
}

function lineOf({ element, detail, severity }: SchemaChange): string {
  return wrapped(`* ${MARKS[severity]}\`${element}\`${detail === '' ? '' : `: ${detail}`}`);
}

/** An entry of a list in lines of the length that Markdown files have. */
function wrapped(entry: string): string {
  const lines: string[] = [];
  for (const word of entry.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= MAX_COLUMNS) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(line === undefined ? word : `  ${word}`);
  }
  return lines.join('\n');
}

/** A new or removed type stands for its fields. */
function withoutParts(changes: readonly SchemaChange[]): SchemaChange[] {
  const types = new Set(changes.map(({ element }) => element).filter((element) => /^\w+$/.test(element)));
  return changes.filter(({ element }) => types.has(element) || !types.has(/^\w+/.exec(element)?.[0] ?? ''));
}
