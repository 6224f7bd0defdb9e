import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { mayInChannel } from '../../channels/index.ts';
import { COMMENT_MODERATION } from '../comments/comment.policy.ts';
import type { SocialEnums } from '../social-enums.graphql.ts';
import { declareBlocks } from './blocks.graphql.ts';
import { declareReports } from './reports.graphql.ts';
import { MOST_REVIEWED, reviewComments } from './review-comments.ts';
import { MAX_BLOCKED_WORD_LENGTH, MAX_BLOCKED_WORDS, updateCommentSettings, updateModeration } from './settings.ts';

interface Types {
  readonly Node: EntityRef;
  readonly Channel: EntityRef;
  readonly Content: EntityRef;
  readonly Comment: EntityRef;
  readonly Person: EntityRef;
  readonly enums: SocialEnums;
}

/** Declares moderation: settings, the queue of held comments, reports and blocked accounts. */
export function declareModeration(graph: Graph, types: Types): void {
  declareSettings(graph, types);
  declareQueue(graph, types);
  declareReview(graph);
  declareReports(graph, types);
  declareBlocks(graph, types);
}

function declareSettings(graph: Graph, { Channel, Content, enums }: Types): void {
  const UpdateCommentSettingsInput = graph.builder.inputType('UpdateCommentSettingsInput', {
    description: 'Changes to the comment settings of a content.',
    fields: (t) => ({
      mode: t.field({ type: enums.CommentMode, required: true, description: 'Who may comment, and what is held for review.' }),
    }),
  });
  graph.mutation('updateCommentSettings', {
    access: 'comment:moderate',
    description: 'Updates who may comment on one of your contents. Existing comments stay.',
    payload: Content,
    args: (t: ArgBuilder) => ({
      contentId: t.field({ type: 'DID', required: true, description: 'Identifier of the content.' }),
      input: t.field({ type: UpdateCommentSettingsInput, required: true, description: 'The settings.' }),
    }),
    statement: updateCommentSettings,
  });
  const ChannelModeration = graph.object('ChannelModeration', {
    description: 'Moderation settings of a channel.',
    fields: (f) => ({
      blockedWords: f.value({ type: ['String'], description: 'Blocked words and phrases: a comment that contains one is held.' }),
      holdLinks: f.value({ type: 'Boolean', description: 'Whether comments with links are held.' }),
    }),
  });
  graph.extend(Channel, (f) => ({
    moderation: f.column({
      type: ChannelModeration,
      nullable: true,
      description: 'Moderation settings of the channel; null for non-moderators.',
      sql: (s) => `case when ${mayInChannel(s, `${s.t}.id`, 'comment:moderate')} then coalesce(
        (select jsonb_build_object('blockedWords', m.blocked_words, 'holdLinks', m.hold_links) from channel_moderation m where m.channel_id = ${s.t}.id),
        '{"blockedWords": [], "holdLinks": false}') end`,
    }),
  }));
  const UpdateModerationInput = graph.builder.inputType('UpdateModerationInput', {
    description: 'Changes to moderation settings; omitted or null fields keep their value.',
    fields: (t) => ({
      blockedWords: t.stringList({
        description: `Words and phrases, at most ${MAX_BLOCKED_WORDS} of at most ${MAX_BLOCKED_WORD_LENGTH} characters; replaces all. They match whole words; case and accents are ignored.`,
      }),
      holdLinks: t.boolean({ description: 'Whether to hold comments with links.' }),
    }),
  });
  graph.mutation('updateModeration', {
    access: 'comment:moderate',
    description: 'Updates the moderation settings of a channel, for new comments.',
    payload: Channel,
    args: (t: ArgBuilder) => ({
      channel: t.field({ type: 'DID', required: true, description: 'Identifier of a channel that you moderate.' }),
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
      description: 'Comments held for review, oldest first; null for non-moderators.',
      where: (child, s) => `${child}.channel_id = ${s.t}.id and ${child}.status = 'HELD' and ${child}.deleted_at is null`,
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
      code: f.value({ type: 'String', description: 'Code of the error catalogue.' }),
      message: f.value({ type: 'String', description: 'Reason.' }),
      field: f.value({ type: 'String', nullable: true, description: 'The argument it belongs to.' }),
    }),
  });
  const ReviewResult = graph.object('ReviewResult', {
    description: 'Result for one comment.',
    fields: (f) => ({
      id: f.value({ type: 'DID', description: 'Identifier as it was sent.' }),
      ok: f.value({ type: 'Boolean', description: 'Whether it succeeded.' }),
      error: f.value({ type: ReviewError, nullable: true, description: 'Why it failed; null when ok.' }),
    }),
  });
  const ReviewCommentsPayload = graph.object('ReviewCommentsPayload', {
    description: 'Results for the comments.',
    fields: (f) => ({ results: f.value({ type: [ReviewResult], description: 'One for each identifier, in the same order.' }) }),
  });
  const reviews = {
    approveComments: ['approve', 'Publishes comments that were held or rejected.'],
    holdComments: ['hold', 'Holds comments for review: only their authors and the moderators see them.'],
    rejectComments: ['reject', 'Rejects comments: only their authors and the moderators see them. One with replies leaves a placeholder.'],
  } as const;
  for (const [name, [review, description]] of Object.entries(reviews)) {
    graph.mutation(name, {
      access: 'comment:moderate',
      description: `${description} Idempotent.`,
      payload: ReviewCommentsPayload,
      args: (t) => ({
        ids: t.field({
          type: ['DID'],
          required: true,
          description: `Identifiers of comments in channels that you moderate, at most ${MOST_REVIEWED}.`,
        }),
      }),
      policies: [COMMENT_MODERATION],
      command: (context, { ids }) => reviewComments(context, review, ids),
    });
  }
}
