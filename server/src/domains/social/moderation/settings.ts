import {
  type FieldsInput,
  type RevisionInput,
  readChanges,
  revised,
  type StatementCommand,
} from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { CONTENT_CHANGE, contentTarget, readContentId } from '../../catalog/index.ts';
import { CHANNEL_CHANGE, channelTarget } from '../../channels/index.ts';
import type { CommentMode } from '../comments/hold-rules.ts';
import { MODERATION_FIELDS } from './moderation-fields.ts';
import {
  type CommentSettingsChange,
  type ModerationChange,
  RULES_OF_TARGET,
  RULES_WERE_CURRENT,
  updateCommentSettingsWrites,
  updateModerationWrites,
} from './settings.store.ts';

interface CommentSettingsArgs {
  readonly id: string;
  readonly input: RevisionInput & { readonly mode: CommentMode };
}

/** Updates who may comment on the account's content. One round trip. RESOURCE_NOT_FOUND, UNAUTHORIZED, CONFLICT. */
export const updateCommentSettings: StatementCommand<CommentSettingsArgs, CommentSettingsChange> = revised(
  { row: 'c', fields: {}, changes: ({ mode }) => ({ mode }), elsewhere: { mode: 'c.comment_mode' } },
  {
    prepare: ({ id, input: { mode, ifRevision = null } }, env) => ({
      ...readContentId(env, id, 'id'),
      ...{ mode, ifRevision },
    }),
    payload: ({ id }) => id,
    target: contentTarget('comment:moderate', 'id'),
    policy: CONTENT_CHANGE,
    writes: updateCommentSettingsWrites,
    row: 'changed',
  },
);

interface ModerationArgs {
  readonly id: string;
  readonly input: FieldsInput<typeof MODERATION_FIELDS> & RevisionInput;
}

/** The channel with its rules, which may have no row yet. */
const RULES_TARGET = channelTarget<ModerationChange>('id', ({ channel }) => channel, 'comment:moderate');

/**
 * Updates the moderation settings of the account's channel. One round trip. RESOURCE_NOT_FOUND, UNAUTHORIZED,
 * INVALID_INPUT or FIELD_REQUIRED for the words, CONFLICT.
 */
export const updateModeration: StatementCommand<ModerationArgs, ModerationChange> = revised(
  {
    ...{ row: 'm', revision: 'coalesce(m.revision, 0)', fields: MODERATION_FIELDS },
    changes: ({ changes }) => changes,
  },
  {
    prepare: ({ id, input: { ifRevision = null, ...input } }, env) => ({
      channel: env.parseDid(id, ['channel'], 'id').id,
      changes: readChanges(MODERATION_FIELDS, input),
      ifRevision,
    }),
    payload: ({ channel }) => channel,
    target: { ...RULES_TARGET, from: (s) => `${RULES_TARGET.from?.(s)} ${RULES_OF_TARGET}` },
    policy: CHANNEL_CHANGE,
    writes: updateModerationWrites,
    ensures: [
      { ...RULES_WERE_CURRENT, otherwise: () => new AppError('CONFLICT', undefined, { field: 'input.ifRevision' }) },
    ],
  },
);
