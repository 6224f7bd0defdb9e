import { statSync } from 'node:fs';

export const PARTS = ['static', 'unit', 'e2e'] as const;
export type Part = (typeof PARTS)[number];

/** Parsed arguments of `npm test`. */
export interface CheckRequest {
  readonly parts: ReadonlySet<Part>;
  /** Files and folders of tests, beside the parts. */
  readonly paths: readonly string[];
  /** Only what a change can reach; the revision to compare with, or null for the branch point. */
  readonly changed: { readonly since: string | null } | null;
  /** A pattern of test names; other tests do not run. */
  readonly name: string | null;
  /** Also `*.full.test.ts` and other checks that are too heavy for every change. */
  readonly full: boolean;
  /** Prints the slowest files. */
  readonly slowest: boolean;
}

/** An unknown argument; the message has the valid ones. */
export class UsageError extends Error {}

const USAGE =
  'npm test -- [static] [unit] [e2e] [FILE or FOLDER…] [changed [--since ' +
  'REVISION]] [-t NAME] [--slowest]; npm run test:full runs what is heavy, too';

/** Reads the arguments of `npm test`. Throws a `UsageError` for one that is unknown and for paths that do not exist. */
export function readArguments(words: readonly string[]): CheckRequest {
  const rest = [...words];
  const parts = new Set<Part>();
  const paths: string[] = [];
  const options = {
    since: null as string | null,
    name: null as string | null,
    changed: false,
    full: false,
    slowest: false,
  };
  const operandOf = (option: string): string => rest.shift() ?? refuse(`${option} needs a value`);
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (isPart(word)) parts.add(word);
    else if (word === 'changed') options.changed = true;
    else if (word === '--since') options.since = operandOf(word);
    else if (word === '-t' || word === '--name') options.name = operandOf(word);
    else if (word === '--full') options.full = true;
    else if (word === '--slowest') options.slowest = true;
    else if (statSync(word, { throwIfNoEntry: false })) paths.push(word.replace(/^\.\/|\/$/g, ''));
    else refuse(`${word} is neither a part of the checks nor a file or folder`);
  }
  if (options.since !== null && !options.changed) refuse('--since belongs to changed');
  if (options.changed && parts.size + paths.length > 0) refuse('changed chooses by itself what runs');
  const everything = parts.size + paths.length === 0 && !options.changed;
  return {
    parts: everything ? new Set<Part>(options.name === null ? PARTS : ['unit', 'e2e']) : parts,
    paths,
    changed: options.changed ? { since: options.since } : null,
    name: options.name,
    full: options.full,
    slowest: options.slowest,
  };
}

function isPart(word: string): word is Part {
  return (PARTS as readonly string[]).includes(word);
}

function refuse(what: string): never {
  throw new UsageError(`${what}.\nUsage: ${USAGE}`);
}
