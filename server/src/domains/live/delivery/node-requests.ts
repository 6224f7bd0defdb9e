import { type Secrets, signerOf } from '../../../platform/config/secret-key.ts';
import { readTicket, writeTicket } from '../../../platform/signed-ticket.ts';

/** Below this address, a process offers what it receives to the others. */
export const NODE_PATH = '/internal/live/';
/** `Authorization` of their requests. */
const SCHEME = 'Reelgraph-Node ';
/** Clocks of machines differ. */
const VALID_SECONDS = 60;

/** Header of a request to another process, which has the same SECRET_KEY. `target` is the path with the query. */
export function nodeAuthorization(secrets: Pick<Secrets, 'mac'>, target: string, nowMs: number): string {
  const expires = Math.floor(nowMs / 1_000) + VALID_SECONDS;
  const signature = secrets.mac('live-node', `${expires}\n${target}`).toString('base64url');
  return SCHEME + writeTicket({ expires, keyId: null, signature });
}

/** Whether a request comes from another process of this platform. */
export function isFromNode(
  secrets: Pick<Secrets, 'accepted'>,
  { target, authorization, nowMs }: { readonly target: string; readonly authorization: string; readonly nowMs: number },
): boolean {
  const ticket = authorization.startsWith(SCHEME) ? readTicket(authorization.slice(SCHEME.length)) : null;
  if (!ticket || ticket.expires < nowMs / 1_000) return false;
  return signerOf(secrets, 'live-node', `${ticket.expires}\n${target}`, ticket.signature) !== null;
}
