import type { ArgBuilder, EntityRef, FieldFactory, Graph, Lifecycle } from '../../gql/index.ts';
import { COMMENT_WRITING } from './comments/comment.policy.ts';
import { createCommentByLrn } from './comments/create-comment.ts';
import { olderFollowCommand } from './follows.ts';
import { olderLikeCommand } from './likes.ts';

/** Declares the deprecated mutations of likes, follows and comments, for existing clients. */
export function declareDeprecatedMutations(
  graph: Graph,
  { Comment, Content, Channel }: Record<'Comment' | 'Content' | 'Channel', EntityRef>,
): void {
  for (const action of ['like', 'unlike'] as const) {
    graph.mutation(action, {
      access: 'like:manage',
      description: action === 'like' ? 'Likes a content.' : 'Removes a like.',
      lifecycle: replacedBy(`Use ${action}Content(id), which returns the content.`),
      payload: (f) => ({ ...targetFields(f), content: f.read({ type: Content, description: 'The content.' }) }),
      args: target('content'),
      statement: olderLikeCommand(action),
    });
  }
  for (const action of ['follow', 'unfollow'] as const) {
    graph.mutation(action, {
      access: 'follow:manage',
      description: action === 'follow' ? 'Follows a channel.' : 'Unfollows a channel.',
      lifecycle: replacedBy(`Use ${action}Channel(channel), which returns the channel.`),
      payload: (f) => ({ ...targetFields(f), channel: f.read({ type: Channel, description: 'The channel.' }) }),
      args: target('channel'),
      statement: olderFollowCommand(action),
    });
  }
  graph.mutation('createCommentByLrn', {
    access: 'comment:create',
    policies: [COMMENT_WRITING],
    description: 'Writes a comment on a content.',
    lifecycle: replacedBy('Use createComment(contentId, body), which also supports replies.'),
    type: Comment,
    args: (t) => ({
      targetLrn: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      body: t.string({ required: true, description: 'The text.' }),
    }),
    command: (context, { targetLrn, body }) => createCommentByLrn(context, { targetLrn, body }),
  });
}

/** The names are those of programs written for other services: they stay for two years from the first version. */
function replacedBy(use: string): Lifecycle {
  return { deprecated: { use, period: { since: '2026-10', removal: '2028-10' } } };
}

/** The argument of the deprecated mutations. */
function target(kind: 'content' | 'channel') {
  return (t: ArgBuilder) => ({
    targetLrn: t.field({ type: 'DID', required: true, description: `Id of the ${kind}.` }),
  });
}

/** What all of them answer with, beside the object. */
function targetFields(f: FieldFactory) {
  return {
    ok: f.value({ type: 'Boolean', description: 'Always true: the mutation succeeded.' }),
    targetLrn: f.value({ type: 'DID', description: 'The id that was sent.' }),
  };
}
