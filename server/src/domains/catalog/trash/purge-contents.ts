import type { CommandContext, StatementCommand } from '../../../gql/index.ts';
import { CONTENT_KINDS } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { fact, type Policy, state } from '../../../kernel/policy.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { requireAccount } from '../../channels/index.ts';
import { repeatedly } from '../batches/command-batch.store.ts';
import { CONTENT_CHANGE, type ContentFacts } from '../contents/content.policy.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';
import { readContentId } from '../contents/content-commands.ts';
import { clearDueContents, type Due, expireContentWrites, purgeDueContents, trashTarget } from './trash.store.ts';

/** Comments, likes and figures that one statement deletes. */
const ROWS_AT_ONCE = 2_000;
/** So long a caller waits for it; workers do the rest. */
const PATIENCE_MS = 3_000;

/** Who may delete a content for good: what is in the trash already. */
export const PURGE: Policy<ContentFacts & { readonly trashed: boolean }> = {
  ...CONTENT_CHANGE,
  requires: [
    ...CONTENT_CHANGE.requires,
    state(fact('trashed'), (field) => {
      return new AppError('INVALID_INPUT', 'This content is not in the trash.', {
        field,
        suggestedFix: 'Call deleteContent first; purgeContent then deletes it for good.',
      });
    }),
  ],
};

const EXPIRE = repeatedly('expire_content', {
  prepare: ({ id }, env) => readContentId(env, id, 'id'),
  payload: ({ id }) => id,
  target: trashTarget('purge'),
  policy: PURGE,
  writes: expireContentWrites,
} satisfies StatementCommand<{ readonly id: string }, ContentTarget>);

/**
 * Deletes an own content that is in the trash for good. At once nobody sees it and it cannot come back; where very many people left something
 * at it, the rest of it goes in the background.
 */
export async function purgeContent(context: CommandContext, args: { readonly id: string }): Promise<{ id: string }> {
  const { accountId } = requireAccount(context);
  const { id, kind } = readContentId(context, args.id, 'id');
  const { db } = context.services.catalog;
  await db.transaction((tx) => EXPIRE(tx, accountId, args, context));
  for (const begunMs = performance.now(); performance.now() - begunMs < PATIENCE_MS; ) {
    if (await purgePiece({ db, clock: { now: () => context.nowMs } }, { id })) break;
  }
  return { id: context.did(CONTENT_KINDS[kind].did, id) };
}

/** One step of deleting contents that are due: a piece of what people left at them, or, once that is gone, they themselves. Answers their ids then, else null. */
export async function purgePiece({ db, clock }: { db: Database; clock: Clock }, due: Due): Promise<string[] | null> {
  const nowMs = clock.now();
  return (await clearDueContents(db, nowMs, due, ROWS_AT_ONCE)) ? null : purgeDueContents(db, nowMs, due);
}
