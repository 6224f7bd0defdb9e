import type { CommandContext, StatementCommand } from '../../../gql/index.ts';
import { CONTENT_KINDS } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { fact, type Policy, state } from '../../../kernel/policy.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { repeatedly } from '../batches/command-batch.store.ts';
import { CONTENT_CHANGE, type ContentFacts } from '../contents/content.policy.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';
import { readContentId } from '../contents/content-commands.ts';
import { clearDueContents, type Due, expireContentWrites, purgeDueContents, trashTarget } from './trash.store.ts';

/** Comments, likes and statistics that one statement deletes. */
const ROWS_AT_ONCE = 2_000;
/** How long the caller waits; workers do the rest. */
const PATIENCE_MS = 3_000;

/** Who may permanently delete a content: it must be in the trash. */
export const PURGE: Policy<ContentFacts & { readonly trashed: boolean }> = {
  ...CONTENT_CHANGE,
  requires: [
    ...CONTENT_CHANGE.requires,
    state(fact('trashed'), (field) => {
      return new AppError('INVALID_INPUT', t`This content is not in the trash.`, {
        field,
        suggestedFix: t`Call deleteContent first; purgeContent then deletes it permanently.`,
      });
    }),
  ],
};

const EXPIRE = repeatedly('expire_content', {
  prepare: ({ id }, env) => readContentId(env, id, 'id'),
  payload: ({ id }) => id,
  target: { ...trashTarget('purge'), payloadColumns: ['channel_id'] },
  policy: PURGE,
  writes: expireContentWrites,
} satisfies StatementCommand<{ readonly id: string }, ContentTarget>);

/**
 * Permanently deletes the account's content from the trash. It is hidden at once and cannot be restored; with very many
 * comments and likes, the rest is deleted in the background.
 */
export async function purgeContent(
  context: CommandContext,
  args: { readonly id: string },
): Promise<{ id: string; channel: unknown }> {
  const { id, kind } = readContentId(context, args.id, 'id');
  const { db } = context.services.catalog;
  const { channel_id: channel } = await db.transaction((tx) => EXPIRE(tx, context.scope, args, context));
  for (const begunMs = performance.now(); performance.now() - begunMs < PATIENCE_MS; ) {
    if (await purgeBatch({ db, clock: { now: () => context.nowMs } }, { id })) break;
  }
  return { id: context.did(CONTENT_KINDS[kind].did, id), channel };
}

/**
 * One step of deleting contents that are due: a batch of their comments and likes or, once these are gone, the contents
 * themselves. Returns their ids then, otherwise null.
 */
export async function purgeBatch({ db, clock }: { db: Database; clock: Clock }, due: Due): Promise<string[] | null> {
  const nowMs = clock.now();
  return (await clearDueContents(db, nowMs, due, ROWS_AT_ONCE)) ? null : purgeDueContents(db, nowMs, due);
}
