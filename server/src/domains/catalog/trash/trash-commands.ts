import type { StatementCommand } from '../../../gql/index.ts';
import { CONTENT_KINDS } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { and, fact, not, type Policy, state } from '../../../kernel/policy.ts';
import { CONTENT_ACTIONS, CONTENT_CHANGE, type ContentFacts } from '../contents/content.policy.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';
import { readContentId } from '../contents/content-commands.ts';
import { deleteContentWrites, restoreContentWrites, trashTarget } from './trash.store.ts';

type OnTrash = StatementCommand<{ readonly id: string }, ContentTarget>;

/** The facts for the trash commands. */
interface TrashFacts extends ContentFacts {
  readonly trashed: boolean;
  readonly parentTrashed: boolean;
}

/** Who may restore a content: not before its series. */
export const RESTORATION: Policy<TrashFacts> = {
  ...CONTENT_CHANGE,
  requires: [...CONTENT_CHANGE.requires, state(not(and(fact('trashed'), fact('parentTrashed'))), parentInTrash)],
};

/**
 * Moves the account's content and its children to the trash. One round trip, and one for the channel where it is
 * selected; idempotent.
 */
export const deleteContent: OnTrash = {
  prepare: ({ id }, env) => readContentId(env, id, 'id'),
  payload: ({ id, kind }, env, { channel_id: channel }) => ({ id: env.did(CONTENT_KINDS[kind].did, id), channel }),
  target: { ...trashTarget('delete'), payloadColumns: ['channel_id'] },
  policy: CONTENT_ACTIONS.delete,
  writes: deleteContentWrites,
};

/** Restores the account's content from the trash. One round trip; idempotent. */
export const restoreContent: OnTrash = {
  prepare: ({ id }, env) => readContentId(env, id, 'id'),
  payload: ({ id }) => id,
  row: 'changed',
  target: trashTarget('restore'),
  policy: RESTORATION,
  writes: restoreContentWrites,
  conflicts: {
    contents_number_taken: () =>
      new AppError(
        'RESOURCE_ALREADY_EXISTS',
        t`Its number was taken by another content at the same moment, or no higher number is left.`,
        {
          field: 'id',
          suggestedFix: t`Call restoreContent again; if that fails too, close gaps with renumberEpisodes or
            renumberSeasons first.`,
        },
      ),
  },
};

function parentInTrash(field: string): AppError {
  return new AppError('INVALID_INPUT', t`This content belongs to a series or season that is in the trash.`, {
    field,
    suggestedFix: t`Restore the series, season or miniseries it belongs to first (channel.trash lists it), then this
      content.`,
  });
}
