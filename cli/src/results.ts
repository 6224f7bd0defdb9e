import type { CommandContext } from './context.ts';
import { AlreadyReported, exitCodeOf } from './errors.ts';
import { oneLine } from './terminal.ts';

/** The result for one of several objects. */
export interface Result {
  readonly id: string;
  readonly error: { readonly code: string; readonly message: string; readonly suggestedFix?: string } | null;
}

/** Prints the result for each object, by its title if it has one; the exit code is that of the first failure. */
export function printResults(
  context: CommandContext,
  payload: { readonly results: readonly Result[] },
  done: string,
  titles: ReadonlyMap<string, string> = new Map(),
): void {
  context.result(payload, (out) => {
    for (const { id, error } of payload.results)
      out.line(
        error
          ? `${out.style('red', '✖')} ${[`${id}:`, error.message, error.suggestedFix].filter(Boolean).join(' ')}`
          : `${out.style('green', '✔')} ${done} ${oneLine(titles.get(id) ?? id)}`,
      );
  });
  const failed = payload.results.find(({ error }) => error !== null)?.error;
  if (failed) throw new AlreadyReported(exitCodeOf(failed.code));
}
