import {
  booleanField,
  type EntityField,
  type FieldChanges,
  type FieldsInput,
  type FieldValues,
  readChanges,
  readNew,
  textField,
  urlField,
} from '../../gql/index.ts';
import { readHandle } from '../../kernel/handles.ts';
import { METADATA_FIELDS } from './metadata-fields.ts';
import { readTimeZone } from './time-zone.ts';

const MAX_NAME = 100;

/** Metadata of a channel. */
export const CHANNEL_METADATA_FIELDS = {
  name: textField({
    column: 'name',
    label: 'Name',
    maxLength: MAX_NAME,
    required: true,
    description: 'Name of the channel; its title, unless it was given another one.',
  }),
  ...METADATA_FIELDS,
};

const handle: EntityField<string, string> = {
  column: 'handle',
  sqlType: 'citext',
  type: 'String',
  description: 'Unique name in URLs.',
  inputDescription:
    'Unique name in URLs: 2 to 39 letters, digits, underscores, ' +
    'dots and hyphens. Some names are reserved for the service.',
  changeDescription: 'The former handle is available to others at once.',
  read: readHandle,
};

const timeZone: EntityField<string, string> = {
  column: 'time_zone',
  sqlType: 'text',
  type: 'String',
  description: "IANA name of the time zone in which the channel's days, weeks and months begin.",
  inputDescription: 'IANA name of the time zone in which days, weeks and months begin, such as Europe/Berlin.',
  read: readTimeZone,
  initial: 'UTC',
};

const websiteUrl = urlField({
  column: 'website_url',
  label: 'Website of the channel',
  description: 'Website of the channel, an https or http URL; null without one.',
});

const keepOriginals = booleanField({
  column: 'keep_originals',
  description: 'Whether uploaded video files are kept after processing; default true.',
  inputDescription:
    'Whether uploaded video files are kept after processing. Without its original, a video cannot be ' +
    'processed again, downloaded as it was uploaded, or have a frame as its poster; it takes less storage.',
  changeDescription: 'Applies to videos whose processing completes from now on.',
  initial: true,
});

const encryptPrivateVideos = booleanField({
  column: 'encrypt_private_videos',
  description: 'Whether videos that are private or not published are sent encrypted; default false.',
  inputDescription:
    'Whether videos that are private or not published are sent encrypted, by HLS with AES-128. DASH ' +
    'is not offered for them. Posters, thumbnails, previews, captions and downloads are not encrypted.',
  changeDescription: 'Takes effect within a minute; players that are running must load the video again.',
  initial: false,
});

const ADDED = 'Encoded in the background, after everything else; takes storage.';
const ADDED_CHANGE =
  'Applies to videos whose processing completes from now on, and to those that could not be encoded in it before.';

const encodeAv1 = booleanField({
  column: 'encode_av1',
  description: 'Whether videos of at least 640x480 are also encoded in AV1; default false.',
  inputDescription:
    'Whether videos of at least 640x480 are also encoded in AV1, which most browsers play and which takes about a ' +
    `third less data. ${ADDED}`,
  changeDescription: ADDED_CHANGE,
  initial: false,
});

const encodeHevc = booleanField({
  column: 'encode_hevc',
  description: 'Whether videos of at least 640x480 are also encoded in HEVC; default false.',
  inputDescription:
    'Whether videos of at least 640x480 are also encoded in HEVC (H.265), which Safari, phones and television sets ' +
    `play and which takes about a quarter less data. ${ADDED}`,
  changeDescription: ADDED_CHANGE,
  initial: false,
});

const preferEnhanced = booleanField({
  column: 'prefer_enhanced',
  description: 'Whether players choose upscaled sizes and upmixed sound by themselves; default false.',
  inputDescription:
    'Whether players choose upscaled sizes and upmixed sound by themselves, where a video has them. Otherwise only ' +
    'viewers choose them.',
  changeDescription: 'Takes effect within a minute for all videos of the channel, for players that start from then on.',
  initial: false,
});

/** The fields of a channel beside its metadata. */
export const CHANNEL_OWN_FIELDS = {
  ...{ handle, timeZone, websiteUrl, keepOriginals, encryptPrivateVideos },
  ...{ encodeAv1, encodeHevc, preferEnhanced },
};

/** Everything that createChannel and updateChannel write. */
export const CHANNEL_FIELDS = { ...CHANNEL_METADATA_FIELDS, ...CHANNEL_OWN_FIELDS };

export type ChannelInput = FieldsInput<typeof CHANNEL_FIELDS>;
export type ChannelChanges = FieldChanges<typeof CHANNEL_FIELDS>;
export type ChannelValues = FieldValues<typeof CHANNEL_FIELDS>;

/**
 * Reads changes of a channel. Name and title are what people see: either one changes both, unless both are given.
 * Throws INVALID_INPUT or FIELD_REQUIRED with the field.
 */
export function readChannelChanges(input: ChannelInput): ChannelChanges {
  const changes = readChanges(CHANNEL_FIELDS, input);
  // Titles may be longer than names.
  const { name = changes.title && [...changes.title].slice(0, MAX_NAME).join('').trim(), title = changes.name } =
    changes;
  return { ...changes, ...(name === undefined || title === undefined ? {} : { name, title }) };
}

/** Reads a new channel: the title defaults to the name. Throws INVALID_INPUT or FIELD_REQUIRED with the field. */
export function readNewChannel(input: ChannelInput): ChannelValues {
  return readNew(CHANNEL_FIELDS, { ...input, title: input.title ?? input.name });
}
