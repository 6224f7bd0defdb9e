import { readFileSync } from 'node:fs';
import { PERSONAS, type Persona } from './seed-accounts.ts';

/** The outcome of a call: success, or the error code. */
export type Outcome = 'allowed' | 'UNAUTHENTICATED' | 'UNAUTHORIZED' | 'RESOURCE_NOT_FOUND' | 'INVALID_INPUT';

/** The notation in docs/access.md. */
const WORDS: Readonly<Record<string, Outcome>> = {
  yes: 'allowed',
  'sign in': 'UNAUTHENTICATED',
  no: 'UNAUTHORIZED',
  hidden: 'RESOURCE_NOT_FOUND',
  impossible: 'INVALID_INPUT',
};

/** The personas for an operation of this kind, in the order of the columns. Reads are called with public objects. */
export function callersOf(operation: string): readonly Persona[] {
  return operation.startsWith('mutation ') ? PERSONAS : PERSONAS.filter((persona) => persona !== 'stranger_private');
}

/** One line of the access matrix. */
export interface AccessRow {
  /** `mutation updateContent`. */
  readonly operation: string;
  /** Name of the case; empty for a single case. */
  readonly caseName: string;
  readonly permission: string;
  readonly outcomes: Readonly<Partial<Record<Persona, Outcome>>>;
}

const DOCUMENT = new URL('../../../docs/access.md', import.meta.url);

/** The reviewed and committed access matrix. Throws for an invalid line. */
export function readAccessMatrix(): AccessRow[] {
  return linesOfTables().flatMap((cells) =>
    /^(query|mutation|subscription) /.test(cells[0] ?? '') ? [readRow(cells)] : [],
  );
}

/** The plans and credentials that grant each permission: `session key application`, by permission and plan. */
export function readPermissionPlans(): ReadonlyMap<string, readonly string[]> {
  return new Map(
    linesOfTables().flatMap(([name = '', ...plans]) => (/^[a-z_]+:[a-z]+$/.test(name) ? [[name, plans] as const] : [])),
  );
}

/** The next state by action and state; null if refused. */
export function readSubscriptionTransitions(): ReadonlyMap<string, readonly (string | null)[]> {
  const actions = ['activate', 'paymentFailed', 'cancel', 'resume', 'expire'];
  const lines = linesOfTables().filter(([name = '']) => actions.includes(name));
  return new Map(lines.map(([name = '', ...states]) => [name, states.map((state) => (state === '-' ? null : state))]));
}

/** The row in the document. */
export function rowText({ operation, caseName, permission, outcomes }: AccessRow): string {
  const word = (persona: Persona) => Object.keys(WORDS).find((each) => WORDS[each] === outcomes[persona]) ?? '';
  return `| \`${operation}\` | ${[caseName, permission, ...callersOf(operation).map(word)].join(' | ')} |`;
}

function linesOfTables(): string[][] {
  const lines = readFileSync(DOCUMENT, 'utf8').split('\n');
  return lines
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
}

function readRow([operation = '', caseName = '', permission = '', ...cells]: readonly string[]): AccessRow {
  const outcomes = callersOf(operation).map((persona, index) => {
    const outcome = WORDS[cells[index] ?? ''];
    if (outcome === undefined) throw new Error(`docs/access.md: ${operation} has ${cells[index]} for ${persona}`);
    return [persona, outcome] as const;
  });
  return { operation, caseName, permission, outcomes: Object.fromEntries(outcomes) };
}
