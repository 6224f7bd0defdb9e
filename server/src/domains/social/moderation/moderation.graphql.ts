import {
  type ArgBuilder,
  CHANGES_HELP,
  changeInputFields,
  type EntityRef,
  type Graph,
  ifRevisionField,
} from '../../../gql/index.ts';
import { mayInChannel } from '../../channels/index.ts';
import { declareBlocks } from '../blocks/blocks.graphql.ts';
import { COMMENT_MODERATION } from '../comments/comment.policy.ts';
import type { SocialEnums } from '../social-enums.graphql.ts';
import { declareChannelComments } from './channel-comments.graphql.ts';
import { moderationOf } from './moderation.sql.ts';
import { MODERATION_FIELDS } from './moderation-fields.ts';
import { declareReports } from './reports.graphql.ts';
import { MOST_REVIEWED, reviewComments } from './review-comments.ts';
import { updateCommentSettings, updateModeration } from './settings.ts';

interface Types {
  readonly Node: EntityRef;
  readonly Channel: EntityRef;
  readonly Content: EntityRef;
  readonly Comment: EntityRef;
  readonly Person: EntityRef;
  readonly enums: SocialEnums;
}

/** Declares moderation: settings, the queue of held comments, reports and blocked accounts. */
export function declareModeration(graph: Graph, types: Types): { readonly Report: EntityRef } {
  declareSettings(graph, types);
  declareQueue(graph, types);
  declareChannelComments(graph, types);
  declareReview(graph);
  const Report = declareReports(graph, types);
  declareBlocks(graph, types);
  return { Report };
}

function declareSettings(graph: Graph, { Channel, Content, enums }: Types): void {
  const UpdateCommentSettingsInput = graph.builder.inputType('UpdateCommentSettingsInput', {
    description: 'New comment settings of a content.',
    fields: (t) => ({
      mode: t.field({
        type: enums.CommentMode,
        required: true,
        description: 'Who may comment, and which comments are held.',
      }),
      ifRevision: ifRevisionField(t, 'the content'),
    }),
  });
  graph.mutation('updateCommentSettings', {
    access: 'comment:moderate',
    description: 'Changes who may comment on a content of yours. Earlier comments stay.',
    payload: (f) => ({ content: f.read({ type: Content, description: 'The content.' }) }),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      input: t.field({ type: UpdateCommentSettingsInput, required: true, description: 'The settings.' }),
    }),
    statement: updateCommentSettings,
  });
  const ChannelModeration = graph.object('ChannelModeration', {
    description: 'Rules that hold comments in a channel for review.',
    fields: (f) => ({
      blockedWords: f.value({ type: ['String'], description: MODERATION_FIELDS.blockedWords.description }),
      holdLinks: f.value({ type: 'Boolean', description: MODERATION_FIELDS.holdLinks.description }),
      revision: f.value({
        type: 'Int',
        description: 'Number of these rules, which increases when they change; for ifRevision of updateModeration.',
      }),
    }),
  });
  graph.extend(Channel, (f) => ({
    moderation: f.column({
      type: ChannelModeration,
      nullable: true,
      description: 'Rules that hold comments in the channel; null unless the viewer moderates it.',
      sql: (s) => moderationOf(`${s.t}.id`, s),
    }),
  }));
  const UpdateModerationInput = graph.builder.inputType('UpdateModerationInput', {
    description: `Changes to what holds comments. ${CHANGES_HELP}`,
    fields: (t) => ({ ...changeInputFields(t, MODERATION_FIELDS), ifRevision: ifRevisionField(t, 'the rules') }),
  });
  graph.mutation('updateModeration', {
    access: 'comment:moderate',
    description: 'Updates the rules that hold comments in a channel, for future comments.',
    payload: (f) => ({ channel: f.read({ type: Channel, description: 'The channel.' }) }),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of a channel that you moderate.' }),
      input: t.field({ type: UpdateModerationInput, required: true, description: 'The changes.' }),
    }),
    statement: updateModeration,
  });
}

function declareQueue(graph: Graph, { Channel, Comment }: Types): void {
  graph.extend(Channel, (f) => ({
    heldComments: f.connection({
      type: Comment,
      nullable: true,
      description: 'Comments held for review, oldest first; null unless the viewer moderates the channel.',
      where: (child, s) =>
        `${child}.channel_id = ${s.t}.id and ${child}.status = 'HELD' and ${child}.deleted_at is null`,
      order: { by: (child) => [`${child}.created_at`, `${child}.id`], direction: 'asc' },
      total: (s) => `counter_value('channel:held', ${s.t}.id)`,
      visibleIf: (s) => mayInChannel(s, `${s.t}.id`, 'comment:moderate'),
    }),
  }));
}

function declareReview(graph: Graph): void {
  const ReviewError = graph.object('ReviewError', {
    description: 'Why a comment could not be reviewed.',
    fields: (f) => ({
      code: f.value({ type: graph.ErrorCode, description: 'Its code.' }),
      message: f.value({ type: 'String', description: 'The error message.' }),
      field: f.value({ type: 'String', nullable: true, description: 'The argument that the error is about.' }),
    }),
  });
  const ReviewResult = graph.object('ReviewResult', {
    description: 'The result for one comment.',
    fields: (f) => ({
      id: f.value({ type: 'DID', description: 'Id as sent.' }),
      ok: f.value({ type: 'Boolean', description: 'Whether the comment is in the requested state.' }),
      error: f.value({ type: ReviewError, nullable: true, description: 'The error; null if ok.' }),
    }),
  });
  const reviews = {
    approveComments: ['approve', 'Publishes comments that were held or rejected.'],
    holdComments: ['hold', 'Holds comments for review: only their authors and the moderators see them.'],
    rejectComments: [
      'reject',
      'Rejects comments: only their authors and the moderators see them. One with replies becomes a placeholder.',
    ],
  } as const;
  for (const [name, [review, description]] of Object.entries(reviews)) {
    graph.mutation(name, {
      access: 'comment:moderate',
      description: `${description} Idempotent.`,
      payload: (f) => ({
        results: f.value({ type: [ReviewResult], description: 'One result for each id, in the same order.' }),
      }),
      args: (t) => ({
        ids: t.field({
          type: ['DID'],
          required: true,
          description: `Ids of comments in channels that you moderate, at most ${MOST_REVIEWED}.`,
        }),
      }),
      policies: [COMMENT_MODERATION],
      command: (context, { ids }) => reviewComments(context, review, ids),
    });
  }
}
