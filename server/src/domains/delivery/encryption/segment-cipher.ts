import { type Cipheriv, createCipheriv } from 'node:crypto';
import type { Secrets } from '../../../platform/config/secret-key.ts';

/** HLS with METHOD=AES-128 (RFC 8216 sections 4.3.2.4 and 5.2). Pure. */

/** Name of the key file beside the segments of a media playlist. */
export const KEY_NAME = 'segments.key';
const KEY_BYTES = 16;
const BLOCK_BYTES = 16;
const SEGMENT = /^(.*\/)[^/]*?(\d{1,9})\.m4s$/;

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

/**
 * A playlist of encrypted segments. The key follows the initialization section, which stays readable, and the first
 * media sequence number is that of the first file. Playlists of byte ranges into segments (trick play) are left out,
 * since a range of an encrypted segment cannot be decrypted; playlists of other files stay as they are.
 * @throws Error when the segments are not numbered in their order.
 */
export function encryptedPlaylist(text: string): string {
  const lines = text.split('\n').filter((line) => !line.startsWith('#EXT-X-I-FRAME-STREAM-INF:'));
  const uris = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const first = segmentAt(`/${uris[0] ?? ''}`)?.number;
  if (first === undefined) return lines.join('\n');
  if (uris.some((uri, index) => segmentAt(`/${uri}`)?.number !== first + index))
    throw new Error('The segments of a playlist to encrypt must be numbered in their order.');
  const at = Math.max(
    0,
    ...lines.flatMap((line, index) => (/^#EXT-X-(MAP|TARGETDURATION):/.test(line) ? [index] : [])),
  );
  const header = lines.slice(0, at + 1).filter((line) => !line.startsWith('#EXT-X-MEDIA-SEQUENCE:'));
  const rest = lines.slice(at + 1).filter((line) => !line.startsWith('#EXT-X-MEDIA-SEQUENCE:'));
  return [
    ...header.slice(0, -1),
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    ...header.slice(-1),
    `#EXT-X-KEY:METHOD=AES-128,URI="${KEY_NAME}"`,
    ...rest,
  ].join('\n');
}
