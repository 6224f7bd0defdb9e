import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Client, Content } from '../../../../clients/typescript/src/index.ts';
import { confirm, yesOption } from '../../confirm.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { AlreadyReported, CliError, describeError, type ErrorDetails, Interrupted } from '../../errors.ts';
import { count } from '../../format.ts';
import { examples, instant } from '../../options.ts';
import { printError } from '../../print-error.ts';

/** The result for one content. */
interface Outcome {
  readonly id: string;
  readonly status: string | null;
  readonly title: string | null;
  readonly error: ErrorDetails | null;
}

/** The action on one content: returns the content afterwards, or null when there is none to show. */
type Change = (client: Client, id: string, signal: AbortSignal) => Promise<Content | null>;

const publish = changeCommand('publish', 'Publish contents that are ready, now or later')
  .option('--release <TIME>', 'When to publish, such as 2030-01-31T18:00:00Z (default: now)', instant)
  .action((ids, { release }, command) =>
    changeAll(
      ids,
      contextOf(command),
      (client, id, signal) => client.publishContent({ id, releaseDate: release }, { signal }),
      (status) => (status === 'PUBLISHED' ? 'published' : 'scheduled'),
    ),
  );

const unpublish = changeCommand('unpublish', 'Unpublish contents').action((ids, _options, command) =>
  changeAll(
    ids,
    contextOf(command),
    (client, id, signal) => client.unpublishContent({ id }, { signal }),
    () => 'unpublished',
  ),
);

const remove = changeCommand('delete', 'Move contents to the trash, where they stay for 30 days').action(
  (ids, _options, command) =>
    changeAll(
      ids,
      contextOf(command),
      async (client, id, signal) => {
        await client.deleteContent({ id }, { signal });
        return null;
      },
      () => 'deleted',
    ),
);

const restore = changeCommand('restore', 'Restore contents from the trash').action((ids, _options, command) =>
  changeAll(
    ids,
    contextOf(command),
    async (client, id, signal) => (await client.restoreContent({ id }, { signal })).content,
    () => 'restored',
  ),
);

const purge = changeCommand('purge', 'Delete contents in the trash for good')
  .addOption(yesOption)
  .action(async (ids, { yes }, command) => {
    const context = contextOf(command);
    await confirm(context, yes, `Delete ${count(ids.length, 'content')} for good?`);
    await changeAll(
      ids,
      context,
      async (client, id, signal) => {
        await client.purgeContent({ id }, { signal });
        return null;
      },
      () => 'purged',
    );
  });

const like = changeCommand('like', 'Like contents').action((ids, _options, command) =>
  changeAll(
    ids,
    contextOf(command),
    (client, id, signal) => client.likeContent({ id }, { signal }),
    () => 'liked',
  ),
);

const unlike = changeCommand('unlike', 'Take back likes of contents').action((ids, _options, command) =>
  changeAll(
    ids,
    contextOf(command),
    (client, id, signal) => client.unlikeContent({ id }, { signal }),
    () => 'unliked',
  ),
);

/** Commands that change contents, one after the other. */
export const contentChanges: readonly CommandUnknownOpts[] = [publish, unpublish, remove, restore, purge, like, unlike];

function changeCommand(verb: string, summary: string) {
  return new Command(verb)
    .summary(summary)
    .description(`${summary}. One that cannot be changed does not stop those after it.`)
    .argument('<CONTENT...>', 'Identifiers of contents')
    .addHelpText('after', examples(`reelgraph content ${verb} did:reelgraph:content/feature/0198c5a0-…`));
}

/** `done` is the word for the result, given the new status. */
async function changeAll(
  ids: readonly string[],
  context: CommandContext,
  change: Change,
  done: (status: string | null) => string,
): Promise<void> {
  const client = await context.client();
  const contents: Outcome[] = [];
  for (const id of ids) {
    const outcome = await outcomeOf(id, () => change(client, id, context.signal));
    contents.push(outcome);
    if (!context.isJson) print(context, outcome, done);
  }
  if (context.isJson) context.result({ contents }, () => {});
  const failed = contents.find(({ error }) => error !== null)?.error;
  if (failed) throw new AlreadyReported(failed.exitCode);
}

async function outcomeOf(id: string, apply: () => Promise<Content | null>): Promise<Outcome> {
  try {
    const content = await apply();
    return { id, status: content?.status ?? null, title: content?.metadata.title ?? null, error: null };
  } catch (error) {
    if (error instanceof Interrupted || error instanceof CliError) throw error;
    return { id, status: null, title: null, error: describeError(error) };
  }
}

function print(
  { out, err }: CommandContext,
  { id, status, title, error }: Outcome,
  done: (status: string | null) => string,
): void {
  if (error === null) out.line(`${out.style('green', '✔')} ${done(status)} ${title ?? id}`);
  else printError(err, error, id);
}
