import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { deletions } from '../../../kernel/key-budgets.ts';
import { COMMENT_EDITING, COMMENT_PIN, COMMENT_WRITING, COMMENTS_A_MINUTE, MAX_EDITS } from './comment.policy.ts';
import {
  deleteComment,
  heartComment,
  likeComment,
  unheartComment,
  unlikeComment,
  unpinComment,
} from './comment-commands.ts';
import { MAX_BODY, MAX_MENTIONS } from './comment-input.ts';
import { createComment } from './create-comment.ts';
import { pinComment } from './pin-comment.ts';
import { updateComment } from './update-comment.ts';

const BODY =
  `The text, 1 to ${MAX_BODY} characters; line breaks are kept, markup is ` +
  `not interpreted. The first ${MAX_MENTIONS} @usernames are mentions.`;
const id = (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the comment.' }) });

/** Declares the mutations on one comment. */
export function declareCommentMutations(graph: Graph, Comment: EntityRef, Content: EntityRef): void {
  declareWriting(graph, Comment);
  declareDeletion(graph, Comment, Content);
  graph.mutation('likeComment', {
    access: 'like:manage',
    description: 'Likes a comment. Idempotent.',
    payload: (f) => ({ comment: f.read({ type: Comment, description: 'The comment.' }) }),
    args: id,
    statement: likeComment,
  });
  graph.mutation('unlikeComment', {
    access: 'like:manage',
    description: 'Removes a like from a comment. Idempotent.',
    payload: (f) => ({ comment: f.read({ type: Comment, description: 'The comment.' }) }),
    args: id,
    statement: unlikeComment,
  });
  declareHonours(graph, Comment);
}

function declareWriting(graph: Graph, Comment: EntityRef): void {
  graph.mutation('createComment', {
    access: 'comment:create',
    policies: [COMMENT_WRITING],
    description:
      `Writes a comment on a content, or a reply; at most ${COMMENTS_A_MINUTE} a minute in a channel. The same ` +
      'comment again within a minute is the same comment. It may be HELD for review: see status.',
    type: Comment,
    args: (t) => ({
      contentId: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      body: t.string({ required: true, description: BODY }),
      parent: t.field({ type: 'DID', description: 'Id of the comment to reply to, on the same content.' }),
    }),
    command: (context, args) => createComment(context, args),
  });
  const UpdateCommentInput = graph.builder.inputType('UpdateCommentInput', {
    description: 'Changes to a comment.',
    fields: (t) => ({ body: t.string({ required: true, description: BODY }) }),
  });
  graph.mutation('updateComment', {
    access: 'comment:create',
    policies: [COMMENT_EDITING],
    description: `Edits a comment of yours, at most ${MAX_EDITS} times; edits keeps the former text.`,
    payload: (f) => ({ comment: f.read({ type: Comment, description: 'The comment.' }) }),
    args: (t) => ({
      ...id(t),
      input: t.field({ type: UpdateCommentInput, required: true, description: 'The new text.' }),
    }),
    command: (context, args) => updateComment(context, args),
  });
}

function declareDeletion(graph: Graph, Comment: EntityRef, Content: EntityRef): void {
  graph.mutation('deleteComment', {
    access: 'comment:create',
    charges: () => deletions(1),
    description:
      'Deletes a comment of yours, or any comment in a channel you ' +
      'moderate. A comment with replies becomes a placeholder.',
    payload: (f) => ({
      id: f.value({ type: 'DID', description: 'Id of the comment.' }),
      content: f.read({ type: Content, description: 'The content, whose number of comments has changed.' }),
      parent: f.read({
        type: Comment,
        nullable: true,
        description: 'The comment that it replied to; null if it was no reply, or the account may not see that one.',
      }),
    }),
    args: id,
    statement: deleteComment,
  });
}

function declareHonours(graph: Graph, Comment: EntityRef): void {
  graph.mutation('pinComment', {
    access: 'comment:moderate',
    policies: [COMMENT_PIN],
    description: 'Pins a comment to the top of the list and replaces the one that was pinned. Idempotent.',
    payload: (f) => ({ comment: f.read({ type: Comment, description: 'The comment.' }) }),
    args: id,
    command: (context, args) => pinComment(context, args),
  });
  graph.mutation('unpinComment', {
    access: 'comment:moderate',
    description: 'Unpins a comment. Idempotent.',
    payload: (f) => ({ comment: f.read({ type: Comment, description: 'The comment.' }) }),
    args: id,
    statement: unpinComment,
  });
  graph.mutation('heartComment', {
    access: 'comment:moderate',
    description: 'Hearts a comment for the channel. Idempotent.',
    payload: (f) => ({ comment: f.read({ type: Comment, description: 'The comment.' }) }),
    args: id,
    statement: heartComment,
  });
  graph.mutation('unheartComment', {
    access: 'comment:moderate',
    description: "Removes the channel's heart from a comment. Idempotent.",
    payload: (f) => ({ comment: f.read({ type: Comment, description: 'The comment.' }) }),
    args: id,
    statement: unheartComment,
  });
}
