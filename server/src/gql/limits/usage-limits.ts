import type { UsageCharge } from '../../kernel/key-budgets.ts';

/** A mutation that was sent with a key, a token or by a connected application. */
export interface KeyUse {
  readonly accountId: string;
  /** Name of the scoped token; null for the key and for connected applications. */
  readonly token: string | null;
  readonly atMs: number;
  /** The entry point it came through. */
  readonly via: 'API' | 'MCP';
  /** The client's name; empty if unknown. */
  readonly agent: string;
  /** Name of the mutation. */
  readonly operation: string;
  /** The first DID among its arguments. */
  readonly subject: string | null;
  /** OK, or the error's code. */
  readonly outcome: string;
}

/** The usage limits of an account's key, and its audit log. */
export interface UsageLimits {
  /**
   * Charges the account's limits; returns a function that refunds a failed call. Throws RATE_LIMIT_EXCEEDED when a
   * limit is reached.
   */
  spend(accountId: string, charges: readonly UsageCharge[], nowMs: number): Promise<() => Promise<void>>;
  /** Records a call, to be written soon. Never waits, never throws. */
  record(use: KeyUse): void;
}

const MAX_AGENT = 200;
const MAX_SUBJECT = 200;
/** Maximum examined length of a name: it may be as long as a request. */
const MAX_READ = 1_000;

/** The stored name of a client: one line of printable text. */
export function agentName(text: string): string {
  return text
    .slice(0, MAX_READ)
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, MAX_AGENT)
    .replace(/[\uD800-\uDBFF]$/, ''); // half of a character that was cut
}

/**
 * A DID of this service. Other texts with this prefix may be titles, with characters that PostgreSQL does not store.
 */
const DID = /^did:[a-z0-9]+:[a-z/-]+\/[0-9a-f-]{36}$/i;

/** The object of a call: the first DID in its arguments, including its input. */
export function subjectOf(args: unknown): string | null {
  if (typeof args === 'string') return args.length <= MAX_SUBJECT && DID.test(args) ? args : null;
  if (typeof args !== 'object' || args === null) return null;
  for (const value of Object.values(args)) {
    const found = subjectOf(value);
    if (found !== null) return found;
  }
  return null;
}
