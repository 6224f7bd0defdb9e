/** What a check found, in one sentence, and what to do about it. */
export interface Finding {
  /** Problem: something does not work, or is unsafe. Warning: it works with limits. */
  readonly state: 'ok' | 'warning' | 'problem';
  readonly found: string;
  /** Empty where nothing is to be done. */
  readonly advice: string;
}

export type NamedFinding = Finding & { readonly check: string };

/** A check of one part; it may find several things. */
export interface Check {
  readonly name: string;
  readonly limitMs?: number;
  readonly run: () => Promise<Finding | readonly Finding[]>;
}

const LIMIT_MS = 20_000;

export const ok = (found: string): Finding => ({ state: 'ok', found, advice: '' });
export const warning = (found: string, advice: string): Finding => ({ state: 'warning', found, advice });
export const problem = (found: string, advice: string): Finding => ({ state: 'problem', found, advice });

/**
 * Runs the checks at the same time, each for at most its limit. One that fails or hangs is a problem and stops no
 * other. `secrets` are replaced in what they report, because errors of libraries may quote addresses with passwords.
 */
export async function runChecks(checks: readonly Check[], secrets: readonly string[]): Promise<NamedFinding[]> {
  const found = await Promise.all(
    checks.map(async ({ name, limitMs = LIMIT_MS, run }) => {
      const findings = await within(limitMs, run).catch((error: unknown) =>
        problem(`The check failed: ${reasonOf(error)}.`, 'Correct this, and run the command again.'),
      );
      return [findings].flat().map((finding) => ({ check: name, ...finding }));
    }),
  );
  const clean = (text: string) => secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '…'), text);
  return found
    .flat()
    .map(({ check, state, found: text, advice }) => ({ check, state, found: clean(text), advice: clean(advice) }));
}

/** The first line of what an error says, without a period at its end. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const text = error.message || (inner instanceof Error ? inner.message : '') || error.name;
  const cause = inner instanceof Error && !text.includes(inner.message) ? ` (${inner.message})` : '';
  return `${text.split('\n')[0]}${cause}`.replace(/\.$/, '');
}

async function within<T>(limitMs: number, run: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no result within ${limitMs / 1_000} seconds`)), limitMs);
  });
  try {
    return await Promise.race([run(), limit]);
  } finally {
    clearTimeout(timer);
  }
}
