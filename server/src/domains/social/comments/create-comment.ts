import type { CommandContext } from '../../../gql/index.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorize } from '../../../kernel/policy.ts';
import { type ContentTarget, readContentId } from '../../catalog/index.ts';
import { requireAccount } from '../../channels/index.ts';
import { COMMENT_WRITING, commentNotFound, decideHold, tooFast } from './comment.policy.ts';
import { mentionedNames, readBody } from './comment-input.ts';
import { findCommentContext, findParent, findRepeated, insertComment, takeTurn } from './comments.store.ts';

export interface CreateCommentArgs {
  readonly contentId: string;
  readonly body: string;
  readonly parent?: Maybe<string>;
}

/**
 * Creates a comment and returns its id. Repeating the same text within a minute returns the same comment.
 * RESOURCE_NOT_FOUND, UNAUTHORIZED where the viewer cannot comment, INVALID_INPUT or FIELD_REQUIRED for the text,
 * RATE_LIMIT_EXCEEDED.
 */
export function createComment(
  context: CommandContext,
  { contentId, body, parent }: CreateCommentArgs,
): Promise<string> {
  return write(context, {
    content: readContentId(context, contentId, 'contentId'),
    parentId: parent == null ? null : context.parseDid(parent, ['comment'], 'parent').id,
    body: readBody(body, 'body'),
    field: 'contentId',
  });
}

/** The deprecated mutation: the same with `targetLrn`, without replies. */
export function createCommentByLrn(
  context: CommandContext,
  args: { readonly targetLrn: string; readonly body: string },
): Promise<string> {
  const content = readContentId(context, args.targetLrn, 'targetLrn');
  return write(context, { content, parentId: null, body: readBody(args.body, 'body'), field: 'targetLrn' });
}

interface Request {
  readonly content: ContentTarget;
  readonly parentId: string | null;
  readonly body: string;
  /** The argument that names the content. */
  readonly field: string;
}

function write(context: CommandContext, { content, parentId, body, field }: Request): Promise<string> {
  const { accountId } = requireAccount(context);
  const now = context.nowIso;
  return context.services.social.db.transaction(async (tx) => {
    const target = await findCommentContext(tx, content, context.scope);
    authorize(COMMENT_WRITING, target, field);
    const parent = parentId === null ? null : await findParent(tx, parentId, content.id);
    if (parentId !== null && parent === null) throw commentNotFound('parent');
    const { channelId } = target;
    const inTime = await takeTurn(tx, { accountId, channelId, limited: !target.member, now });
    const repeated = await findRepeated(tx, { contentId: content.id, accountId, parent, body, now });
    if (repeated !== null) return repeated;
    if (!inTime) throw tooFast();
    const id = newId<'comment'>(context.nowMs);
    const heldFor = decideHold(body, target);
    await insertComment(tx, {
      id,
      contentId: content.id,
      channelId,
      accountId,
      parent,
      body,
      heldFor,
      mentions: mentionedNames(body),
      now,
    });
    return id;
  });
}
