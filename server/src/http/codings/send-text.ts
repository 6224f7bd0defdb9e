import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { compressFast } from './compress.ts';
import { type Coding, codingChooser } from './content-codings.ts';

/**
 * Shorter responses arrive in the first ten packets of a connection as they are, and would cost more CPU compressed
 * (ADR 0086). In characters, which are bytes in most JSON.
 */
const MIN_COMPRESSED = 14_336;
/** Among equals the one that costs least for its size. */
const choose = codingChooser(['zstd', 'br', 'gzip']);

interface CompressedText {
  readonly coding: Coding;
  readonly bytes: Buffer;
}

/**
 * The text compressed for a client with this Accept-Encoding; null if it is to be sent as it is. Never for text that
 * reveals a secret: its length would tell about the secret what else is in the text (BREACH).
 */
export function compressedText(
  text: string | Buffer,
  acceptEncoding: string | string[] | undefined,
): CompressedText | null {
  if (typeof acceptEncoding !== 'string') return null;
  const { coding, required } = choose(acceptEncoding);
  if (coding === null || (text.length < MIN_COMPRESSED && !required)) return null;
  return { coding, bytes: compressFast(coding, typeof text === 'string' ? Buffer.from(text) : text) };
}

/** Sends text, or its bytes, that reveals no secret, compressed where that pays; for HEAD its headers only. */
export function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string | Buffer,
  { vary, ...headers }: OutgoingHttpHeaders,
): void {
  const compressed = compressedText(text, request.headers['accept-encoding']);
  response.writeHead(status, {
    ...headers,
    vary: vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`,
    ...(compressed ? { 'content-encoding': compressed.coding } : {}),
    'content-length': compressed ? compressed.bytes.length : Buffer.byteLength(text),
  });
  response.end(request.method === 'HEAD' ? undefined : (compressed?.bytes ?? text));
}
