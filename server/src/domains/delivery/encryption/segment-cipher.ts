import { type Cipheriv, createCipheriv } from 'node:crypto';
import type { Secrets } from '../../../platform/config/secret-key.ts';

/** HLS with METHOD=AES-128 (RFC 8216 sections 4.3.2.4 and 5.2). Pure. */

/** Name of the key file beside the segments of a media playlist. */
export const KEY_NAME = 'segments.key';
const KEY_BYTES = 16;
const BLOCK_BYTES = 16;
/** Parts of segments have two numbers. */
const SEGMENT = /^(.*\/)[^/.]*?(\d{1,9})\.m4s$/;

/** A media segment: the folder of its playlist, and its number there. */
export interface NumberedSegment {
  readonly folder: string;
  readonly number: number;
}

/** Which media segment lies at a key; null for other files. */
export function segmentAt(objectKey: string): NumberedSegment | null {
  const [, folder = '', number = ''] = SEGMENT.exec(objectKey) ?? [];
  return folder === '' ? null : { folder, number: Number(number) };
}

/**
 * The key of all segments in a folder, which belong to one media playlist: each number occurs once, so that no two
 * segments share key and initialization vector.
 */
export function segmentKey(secrets: Secrets, folder: string): Buffer {
  return secrets.mac('segment-key', folder).subarray(0, KEY_BYTES);
}

/** AES-128 in CBC mode with PKCS #7 padding; the initialization vector is the media sequence number. */
export function segmentCipher(secrets: Secrets, { folder, number }: NumberedSegment): Cipheriv {
  const vector = Buffer.alloc(BLOCK_BYTES);
  vector.writeUInt32BE(number, BLOCK_BYTES - 4);
  return createCipheriv('aes-128-cbc', segmentKey(secrets, folder), vector);
}

/** Size of an encrypted segment in bytes: padding always adds 1 to 16. */
export function encryptedBytes(sizeBytes: number): number {
  return sizeBytes + BLOCK_BYTES - (sizeBytes % BLOCK_BYTES);
}

const KEY = `#EXT-X-KEY:METHOD=AES-128,URI="${KEY_NAME}"`;
/**
 * Playlists of byte ranges into segments (trick play), since a range of an encrypted segment cannot be decrypted, and
 * parts of segments, since they have no numbers of their own. The number of the first segment is replaced.
 */
const LEFT_OUT = /^#EXT-X-(?:I-FRAME-STREAM-INF|PART|PART-INF|PRELOAD-HINT|MEDIA-SEQUENCE):/;
/** Updates without older segments would be without their keys, too. */
const PARTS_OF_CONTROL = /(?:CAN-SKIP-UNTIL|PART-HOLD-BACK)=[\d.]+,?/g;

/**
 * A playlist of encrypted segments. The key follows the initialization section, which stays readable, and the first
 * media sequence number is that of the first file. A segment whose number is another one than its place in the playlist
 * has its vector beside the key. Playlists of other files stay as they are.
 */
export function encryptedPlaylist(text: string): string {
  const lines = text.split('\n').filter((line) => !LEFT_OUT.test(line));
  const first = numberOf(lines.find((line) => line !== '' && !line.startsWith('#')) ?? '');
  if (first === null) return lines.join('\n');
  const at = headerEnd(lines);
  let expected = first;
  const rest = lines.slice(at + 1).flatMap((line) => {
    if (line.startsWith('#EXT-X-MAP:')) return ['#EXT-X-KEY:METHOD=NONE', line, KEY];
    const number = line.startsWith('#') ? null : numberOf(line);
    if (number === null) return [line];
    const isInPlace = number === expected;
    expected += 1;
    return isInPlace ? [line] : [`${KEY},IV=0x${number.toString(16).padStart(2 * BLOCK_BYTES, '0')}`, line];
  });
  const header = lines.slice(0, at + 1).map(withoutParts);
  return [...header.slice(0, -1), `#EXT-X-MEDIA-SEQUENCE:${first}`, ...header.slice(-1), KEY, ...rest].join('\n');
}

function numberOf(uri: string): number | null {
  return segmentAt(`/${uri}`)?.number ?? null;
}

/** The line of the first initialization section; without one, of the target duration. */
function headerEnd(lines: readonly string[]): number {
  const map = lines.findIndex((line) => line.startsWith('#EXT-X-MAP:'));
  return map >= 0
    ? map
    : Math.max(
        0,
        lines.findIndex((line) => line.startsWith('#EXT-X-TARGETDURATION:')),
      );
}

function withoutParts(line: string): string {
  if (!line.startsWith('#EXT-X-SERVER-CONTROL:')) return line;
  return line.replace(PARTS_OF_CONTROL, '').replace(/,$/, '');
}
