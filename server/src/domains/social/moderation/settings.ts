import { type FieldsInput, readChanges, type StatementCommand } from '../../../gql/index.ts';
import { CONTENT_CHANGE, contentTarget, readContentId } from '../../catalog/index.ts';
import { CHANNEL_CHANGE, channelTarget } from '../../channels/index.ts';
import type { CommentMode } from '../comments/hold-rules.ts';
import { MODERATION_FIELDS } from './moderation-fields.ts';
import {
  type CommentSettingsChange,
  type ModerationChange,
  updateCommentSettingsWrites,
  updateModerationWrites,
} from './settings.store.ts';

interface CommentSettingsArgs {
  readonly contentId: string;
  readonly input: { readonly mode: CommentMode };
}

/** Updates who may comment on the account's content. One round trip. RESOURCE_NOT_FOUND, UNAUTHORIZED. */
export const updateCommentSettings: StatementCommand<CommentSettingsArgs, CommentSettingsChange> = {
  prepare: ({ contentId, input }, env) => ({ ...readContentId(env, contentId, 'contentId'), mode: input.mode }),
  payload: ({ id }) => id,
  target: contentTarget('comment:moderate', 'contentId'),
  policy: CONTENT_CHANGE,
  writes: updateCommentSettingsWrites,
  row: 'changed',
};

interface ModerationArgs {
  readonly channel: string;
  readonly input: FieldsInput<typeof MODERATION_FIELDS>;
}

/**
 * Updates the moderation settings of the account's channel. One round trip. RESOURCE_NOT_FOUND, UNAUTHORIZED,
 * INVALID_INPUT or FIELD_REQUIRED for the words.
 */
export const updateModeration: StatementCommand<ModerationArgs, ModerationChange> = {
  prepare: ({ channel, input }, env) => ({
    channel: env.parseDid(channel, ['channel'], 'channel').id,
    changes: readChanges(MODERATION_FIELDS, input),
  }),
  payload: ({ channel }) => channel,
  target: channelTarget('channel', ({ channel }) => channel, 'comment:moderate'),
  policy: CHANNEL_CHANGE,
  writes: updateModerationWrites,
};
