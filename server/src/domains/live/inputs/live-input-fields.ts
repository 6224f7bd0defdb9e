import {
  booleanField,
  type EntityField,
  enumField,
  type FieldChanges,
  type FieldsInput,
  type FieldValues,
  textField,
} from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { CHAT_FIELDS, type ChatMode, MAX_SLOW_MODE_MS } from '../chat/chat-fields.ts';

export type LiveLatency = 'LOW' | 'NORMAL';
export type LiveRecording = 'ALL' | 'ROLLING' | 'NONE';
export type LiveStart = 'AUTOMATIC' | 'MANUAL';
export type LiveVisibility = 'PUBLIC' | 'UNLISTED' | 'PRIVATE';

/** Bounds of the reconnect window. */
export const MAX_RECONNECT_MS = 300_000;
const DEFAULT_RECONNECT_MS = 60_000;

const reconnectWindowMs: EntityField<number, number> = {
  column: 'reconnect_window_ms',
  sqlType: 'integer',
  type: 'Int',
  description: 'How long a broadcast waits for an encoder whose connection was lost, in milliseconds.',
  inputDescription:
    'How long a broadcast waits for an encoder whose connection was lost, 0 to ' +
    `${MAX_RECONNECT_MS.toLocaleString('en')} milliseconds.`,
  read(value, field) {
    if (value >= 0 && value <= MAX_RECONNECT_MS) return value;
    throw new AppError('INVALID_INPUT', t`The reconnect window is 0 to ${MAX_RECONNECT_MS} milliseconds.`, { field });
  },
  initial: DEFAULT_RECONNECT_MS,
};

/** Fields that createLiveInput and updateLiveInput write. A broadcast keeps those with which it began. */
export const LIVE_INPUT_FIELDS = {
  name: textField({
    column: 'name',
    label: 'Name',
    maxLength: 100,
    required: true,
    description: 'Its name, which is the title of the streams that it makes.',
  }),
  latency: enumField<LiveLatency>({
    column: 'latency',
    type: 'LiveLatency',
    description: 'How far viewers are behind the encoder.',
    initial: 'LOW',
  }),
  recording: enumField<LiveRecording>({
    column: 'recording',
    type: 'LiveRecording',
    description: 'What is kept of a broadcast.',
    initial: 'ALL',
  }),
  visibility: enumField<LiveVisibility>({
    column: 'visibility',
    type: 'Visibility',
    description: 'Visibility of the streams that it makes.',
    initial: 'PRIVATE',
  }),
  start: enumField<LiveStart>({
    column: 'start_mode',
    type: 'LiveStart',
    description: 'How its broadcasts begin.',
    initial: 'AUTOMATIC',
  }),
  reconnectWindowMs,
  srt: booleanField({
    column: 'srt',
    description: 'Whether it also receives SRT, at an address with a passphrase of its own.',
    initial: false,
  }),
  chatMode: enumField<ChatMode>({
    column: 'chat_mode',
    type: 'ChatMode',
    description: 'Who may write in the chats of its streams, until updateChat changes one.',
    initial: 'EVERYONE',
  }),
  chatSlowModeMs: {
    ...CHAT_FIELDS.slowModeMs,
    column: 'chat_slow_mode_ms',
    description: 'The slow mode with which the chats of its streams begin, in milliseconds; 0 without.',
    inputDescription:
      'The slow mode with which the chats of its streams begin: how long an account waits between two messages, 0 to ' +
      `${MAX_SLOW_MODE_MS.toLocaleString('en')} milliseconds.`,
  },
};

export type LiveInputInput = FieldsInput<typeof LIVE_INPUT_FIELDS>;
export type LiveInputValues = FieldValues<typeof LIVE_INPUT_FIELDS>;
export type LiveInputChanges = FieldChanges<typeof LIVE_INPUT_FIELDS>;
