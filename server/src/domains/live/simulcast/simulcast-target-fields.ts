import {
  booleanField,
  type EntityField,
  type FieldChanges,
  type FieldsInput,
  type FieldValues,
  textField,
} from '../../../gql/index.ts';
import { readText } from '../../../kernel/text.ts';
import { readRtmpUrl } from '../../../kernel/urls.ts';

const MAX_KEY_LENGTH = 500;

const url: EntityField<string, string> = {
  column: 'url',
  sqlType: 'text',
  type: 'URL',
  description: 'Address of the server, without the stream key.',
  inputDescription:
    'Address of the server, without the stream key: rtmp or rtmps, and on the public internet unless the operator ' +
    'allows its host.',
  read: (value, field) => readRtmpUrl(value, field).href,
};

/** Stored encrypted, in a column that no field shows. */
const streamKey: EntityField<string, string> = {
  column: null,
  sqlType: 'text',
  type: 'String',
  description: 'The stream key at the other server.',
  inputDescription: `The stream key that the other server expects, 1 to ${MAX_KEY_LENGTH} characters. It is not shown.`,
  read: (value, field) => readText(value, { field, maxLength: MAX_KEY_LENGTH, required: true }),
};

/** Fields that everyone sees who may change a target. */
export const SIMULCAST_TARGET_FIELDS = {
  name: textField({
    column: 'name',
    label: 'Name',
    maxLength: 100,
    required: true,
    description: 'Its name, such as that of the other service.',
  }),
  url,
  isEnabled: booleanField({
    column: 'is_enabled',
    description: 'Whether broadcasts are published there.',
    initial: true,
  }),
};

/** Fields that createSimulcastTarget and updateSimulcastTarget write. */
export const SIMULCAST_TARGET_INPUT = { ...SIMULCAST_TARGET_FIELDS, streamKey };

export type SimulcastTargetInput = FieldsInput<typeof SIMULCAST_TARGET_INPUT>;
export type SimulcastTargetValues = FieldValues<typeof SIMULCAST_TARGET_INPUT>;
export type SimulcastTargetChanges = FieldChanges<typeof SIMULCAST_TARGET_INPUT>;
