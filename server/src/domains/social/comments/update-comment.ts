import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import { authorize } from '../../../kernel/policy.ts';
import { COMMENT_EDITING, decideHold, MAX_EDITS } from './comment.policy.ts';
import { editComment, lockComment } from './comment-edits.store.ts';
import { mentionedNames, readBody } from './comment-input.ts';

/**
 * Edits the account's comment, keeps the previous text in its history, and applies the hold rules to the new one. The
 * same text has no effect. RESOURCE_NOT_FOUND, UNAUTHORIZED, INVALID_INPUT or FIELD_REQUIRED for the text.
 */
export function updateComment(
  context: CommandContext,
  args: { readonly id: string; readonly input: { readonly body: string } },
): Promise<string> {
  const { id } = context.parseDid(args.id, ['comment'], 'id');
  const body = readBody(args.input.body, 'input.body');
  return context.services.social.db.transaction(async (tx) => {
    const comment = await lockComment(tx, id, context.scope);
    authorize(COMMENT_EDITING, comment, 'id');
    if (comment.body === body) return id;
    if (comment.edits >= MAX_EDITS) {
      throw new AppError('INVALID_INPUT', t`A comment can be edited ${MAX_EDITS} times.`, {
        field: 'id',
        suggestedFix: t`Delete the comment and write a new one.`,
      });
    }
    const heldFor = comment.status === 'PUBLISHED' ? decideHold(body, comment) : null;
    const editId = newId<'comment-edit'>(context.nowMs);
    await editComment(tx, { id, editId, body, heldFor, mentions: mentionedNames(body), now: context.nowIso });
    return id;
  });
}
