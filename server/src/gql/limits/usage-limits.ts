import type { KeySpending } from '../../kernel/key-budgets.ts';

/** One mutation that was sent with a key. */
export interface KeyUse {
  readonly accountId: string;
  readonly atMs: number;
  /** The entry point it came through. */
  readonly via: 'API' | 'MCP';
  /** What the client calls itself; empty where it does not say. */
  readonly agent: string;
  /** Name of the mutation. */
  readonly operation: string;
  /** The first DID among its arguments. */
  readonly subject: string | null;
  /** OK, or the error's code. */
  readonly outcome: string;
}

/** The limits of what an account's key may do, and the audit log of what it did. */
export interface UsageLimits {
  /**
   * Takes from the account's limits; returns how to give back what a failure did not use. Throws RATE_LIMIT_EXCEEDED
   * when one is reached.
   */
  spend(accountId: string, spendings: readonly KeySpending[], nowMs: number): Promise<() => Promise<void>>;
  /** Records a use; it is written soon. Never waits, never throws. */
  record(use: KeyUse): void;
}

const MAX_AGENT = 200;
const MAX_SUBJECT = 200;
/** So much of a name is looked at: it may be as long as a request. */
const MAX_READ = 1_000;

/** What is kept of a client's own name: one line of printable text. */
export function agentName(text: string): string {
  return text
    .slice(0, MAX_READ)
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, MAX_AGENT)
    .replace(/[\uD800-\uDBFF]$/, ''); // half of a character that the limit cut
}

/**
 * A DID as this service writes them. Other text with its beginning is a title or a name, and may hold what PostgreSQL
 * does not store.
 */
const DID = /^did:[a-z0-9]+:[a-z/-]+\/[0-9a-f-]{36}$/i;

/** The object a call is about: the first DID among its arguments, those of its input included. */
export function subjectOf(args: unknown): string | null {
  if (typeof args === 'string') return args.length <= MAX_SUBJECT && DID.test(args) ? args : null;
  if (typeof args !== 'object' || args === null) return null;
  for (const value of Object.values(args)) {
    const found = subjectOf(value);
    if (found !== null) return found;
  }
  return null;
}
