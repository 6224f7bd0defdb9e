import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { requireAccount } from '../../channels/index.ts';
import { judgeModeration } from './comment.policy.ts';
import { notPublished } from './comment-commands.ts';
import { findPinnable, pinOnly } from './pins.store.ts';

/**
 * Puts a comment on top of its list, instead of the one that was there. Repeating it changes nothing. RESOURCE_NOT_FOUND,
 * UNAUTHORIZED, INVALID_INPUT for answers and for comments that are not published.
 */
export function pinComment(context: CommandContext, args: { readonly id: string }): Promise<string> {
  const { id } = context.parseDid(args.id, ['comment'], 'id');
  const { accountId } = requireAccount(context);
  return context.services.social.db.transaction(async (tx) => {
    const comment = await findPinnable(tx, id, accountId);
    const refused = judgeModeration(comment);
    if (refused || comment === null) throw refused;
    if (!comment.published) throw notPublished('pinned');
    if (comment.answers) {
      throw new AppError('INVALID_INPUT', 'An answer cannot be pinned.', {
        field: 'id',
        suggestedFix: 'Pin the comment that its thread begins with.',
      });
    }
    if (!comment.pinned) await pinOnly(tx, comment.contentId, id);
    return id;
  });
}
