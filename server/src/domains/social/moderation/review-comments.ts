import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import { t } from '../../../kernel/languages/message.ts';
import { decide } from '../../../kernel/policy.ts';
import { requireAccount } from '../../channels/index.ts';
import { COMMENT_REVIEW } from '../comments/comment.policy.ts';
import { type Review, reviewComments as reviewInStore } from './review.store.ts';

/** Comments that one call reviews. */
export const MOST_REVIEWED = 100;

interface Item {
  readonly id: string;
  readonly ok: boolean;
  readonly error: { readonly code: string; readonly message: string; readonly field: string | null } | null;
}

/**
 * Approves, holds or rejects comments, each separately, with results in the order of `ids`. Repeating an action is ok.
 * INVALID_INPUT with the field `ids` for more than a hundred.
 */
export async function reviewComments(
  context: CommandContext,
  review: Review,
  ids: readonly string[],
): Promise<{ results: Item[] }> {
  if (ids.length > MOST_REVIEWED) {
    throw new AppError('INVALID_INPUT', t`At most ${MOST_REVIEWED} comments can be reviewed at once.`, {
      field: 'ids',
      suggestedFix: t`Send the identifiers in groups of at most ${MOST_REVIEWED}.`,
    });
  }
  const read = ids.map((id, index) => readId(context, id, index));
  const wanted = read.flatMap((entry) => (typeof entry === 'string' ? [entry] : []));
  const reviewed = await reviewInStore(context.services.social.db, review, wanted, requireAccount(context).scope);
  const found = new Map(reviewed.map((row) => [row.id, row]));
  return {
    results: read.map((entry, index) => {
      const refused =
        typeof entry === 'string' ? decide(COMMENT_REVIEW, found.get(entry) ?? null, `ids.${index}`) : entry;
      const error = refused && {
        code: refused.code,
        message: localized(refused.text, context.language),
        field: `ids.${index}`,
      };
      return { id: ids[index] ?? '', ok: error === null, error };
    }),
  };
}

function readId(context: CommandContext, id: string, index: number): string | AppError {
  try {
    return context.parseDid(id, ['comment'], `ids.${index}`).id;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
