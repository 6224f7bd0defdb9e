import { type EntityField, enumField, type FieldChanges, type FieldsInput } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';

/** Who may write in a chat. Members of the channel always may, except with NOBODY. */
export const CHAT_MODES = {
  EVERYONE: 'Everyone who may watch the stream.',
  FOLLOWERS: 'Followers and members of its channel.',
  MEMBERS: 'Members of its channel.',
  NOBODY: 'No one. Earlier messages stay.',
} as const;
export type ChatMode = keyof typeof CHAT_MODES;

/** Longest wait between two messages of an account. */
export const MAX_SLOW_MODE_MS = 600_000;

const slowModeMs: EntityField<number, number> = {
  column: 'slow_mode_ms',
  sqlType: 'integer',
  type: 'Int',
  description:
    'How long an account waits between two messages, in milliseconds; 0 without slow mode. Members of the channel do ' +
    'not wait.',
  inputDescription:
    'How long an account waits between two messages, 0 to ' +
    `${MAX_SLOW_MODE_MS.toLocaleString('en')} milliseconds. Members of the channel do not wait.`,
  read(value, field) {
    if (value >= 0 && value <= MAX_SLOW_MODE_MS) return value;
    throw new AppError('INVALID_INPUT', t`Slow mode is 0 to ${MAX_SLOW_MODE_MS} milliseconds.`, { field });
  },
  initial: 0,
};

/** Fields that updateChat writes. */
export const CHAT_FIELDS = {
  mode: enumField<ChatMode>({
    column: 'mode',
    type: 'ChatMode',
    description: 'Who may write.',
    initial: 'EVERYONE',
  }),
  slowModeMs,
};

export type ChatInput = FieldsInput<typeof CHAT_FIELDS>;
export type ChatChanges = FieldChanges<typeof CHAT_FIELDS>;
