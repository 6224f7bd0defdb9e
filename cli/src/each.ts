import type { CommandContext } from './context.ts';
import { AlreadyReported, CliError, describeError, type ErrorDetails, Interrupted } from './errors.ts';
import { printError } from './print-error.ts';

/** The result for one object. */
interface Outcome {
  readonly id: string;
  readonly error: ErrorDetails | null;
}

/**
 * Changes several objects, one after the other; one that cannot be changed does not stop those after it. Prints the
 * result of each; the exit code is that of the first failure. `kind` names them in the document of --json.
 */
export async function changeEach(
  context: CommandContext,
  kind: string,
  ids: readonly string[],
  change: (id: string) => Promise<unknown>,
  done: string,
): Promise<void> {
  const outcomes: Outcome[] = [];
  for (const id of ids) {
    const outcome = { id, error: await failureOf(() => change(id)) };
    outcomes.push(outcome);
    if (context.isJson) continue;
    if (outcome.error) printError(context.err, outcome.error, id);
    else context.out.line(`${context.out.style('green', '✔')} ${done} ${id}`);
  }
  if (context.isJson) context.result({ [kind]: outcomes }, () => {});
  const failed = outcomes.find(({ error }) => error !== null)?.error;
  if (failed) throw new AlreadyReported(failed.exitCode);
}

async function failureOf(change: () => Promise<unknown>): Promise<ErrorDetails | null> {
  try {
    await change();
    return null;
  } catch (error) {
    if (error instanceof Interrupted || error instanceof CliError) throw error;
    return describeError(error);
  }
}
