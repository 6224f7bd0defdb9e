import type { CommandContext } from '../../../gql/index.ts';
import { authorize } from '../../../kernel/policy.ts';
import { COMMENT_PIN } from './comment.policy.ts';
import { findPinnable, pinOnly } from './pins.store.ts';

/**
 * Pins a comment to the top of its list, replacing the current one. Idempotent. RESOURCE_NOT_FOUND, UNAUTHORIZED,
 * INVALID_INPUT for replies and for comments that are not published.
 */
export function pinComment(context: CommandContext, args: { readonly id: string }): Promise<string> {
  const { id } = context.parseDid(args.id, ['comment'], 'id');
  return context.services.social.db.transaction(async (tx) => {
    const comment = await findPinnable(tx, id, context.scope);
    authorize(COMMENT_PIN, comment, 'id');
    if (!comment.pinned) await pinOnly(tx, comment.contentId, id);
    return id;
  });
}
