import { type Secrets, signerOf } from '../../../platform/config/secret-key.ts';
import { readTicket, writeTicket } from '../../../platform/signed-ticket.ts';
import { MASTER_PLAYLIST } from '../../assets/index.ts';

/** Where previews of broadcasts are. Their addresses carry the permission. */
export const PREVIEW_PATH = '/live-previews/';
const VALID_SECONDS = 6 * 3_600;
const ADDRESS = /^([^/]+)\/([0-9a-f-]{36})\/([a-z0-9./-]+)$/;

/** The path at which whoever has it can play the preview of a broadcast, for six hours. */
export function previewPath(secrets: Pick<Secrets, 'mac'>, broadcastId: string, nowMs: number): string {
  // The same for an hour, so that players go on.
  const expires = (Math.ceil(nowMs / 3_600_000) + VALID_SECONDS / 3_600) * 3_600;
  const signature = secrets.mac('live-preview', `${broadcastId}.${expires}`).toString('base64url');
  const ticket = writeTicket({ expires, keyId: null, signature });
  return `${PREVIEW_PATH}${ticket}/${broadcastId}/${MASTER_PLAYLIST}`;
}

/** The broadcast and the file that the rest of such a path names; null where it gives no permission. */
export function readPreviewPath(
  secrets: Pick<Secrets, 'accepted'>,
  rest: string,
  nowMs: number,
): { readonly broadcastId: string; readonly file: string } | null {
  const [, text = '', broadcastId, file] = ADDRESS.exec(rest) ?? [];
  const ticket = readTicket(text);
  if (broadcastId === undefined || file === undefined || !ticket || ticket.expires * 1_000 <= nowMs) return null;
  const signer = signerOf(secrets, 'live-preview', `${broadcastId}.${ticket.expires}`, ticket.signature);
  return signer ? { broadcastId, file } : null;
}
