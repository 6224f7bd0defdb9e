import type { ArgBuilder, EntityRef, Graph } from '../../gql/index.ts';
import { COMMENT_WRITING } from './comments/comment.policy.ts';
import { createCommentByLrn } from './comments/create-comment.ts';
import { olderFollowCommand } from './follows.ts';
import { olderLikeCommand } from './likes.ts';

/** Declares the older spellings of likes, follows and comments, for programs written for them. */
export function declareDeprecatedMutations(graph: Graph, Comment: EntityRef): void {
  const TargetPayload = graph.object('TargetPayload', {
    description: 'The answer of the older spellings.',
    fields: (f) => ({
      ok: f.value({ type: 'Boolean', description: 'True: it is as it was asked for.' }),
      targetLrn: f.value({ type: 'DID', description: 'What it was asked for.' }),
    }),
  });
  for (const action of ['like', 'unlike'] as const) {
    graph.mutation(action, {
      access: 'like:manage',
      description: action === 'like' ? 'Likes a content.' : 'Takes a like back.',
      deprecationReason: `Use ${action}Content(id), which answers with the content.`,
      payload: TargetPayload,
      args: (t: ArgBuilder) => ({ targetLrn: t.field({ type: 'DID', required: true, description: 'Identifier of the content.' }) }),
      statement: olderLikeCommand(action),
    });
  }
  for (const action of ['follow', 'unfollow'] as const) {
    graph.mutation(action, {
      access: 'follow:manage',
      description: action === 'follow' ? 'Follows a channel.' : 'Follows a channel no more.',
      deprecationReason: `Use ${action}Channel(channel), which answers with the channel.`,
      payload: TargetPayload,
      args: (t: ArgBuilder) => ({ targetLrn: t.field({ type: 'DID', required: true, description: 'Identifier of the channel.' }) }),
      statement: olderFollowCommand(action),
    });
  }
  graph.mutation('createCommentByLrn', {
    access: 'comment:create',
    policies: [COMMENT_WRITING],
    description: 'Writes a comment on a content.',
    deprecationReason: 'Use createComment(contentId, body), which also answers other comments.',
    payload: Comment,
    args: (t) => ({
      targetLrn: t.field({ type: 'DID', required: true, description: 'Identifier of the content.' }),
      body: t.string({ required: true, description: 'The text.' }),
    }),
    command: (context, { targetLrn, body }) => createCommentByLrn(context, { targetLrn, body }),
  });
}
