/** The part of a signed address that carries the permission. */
export interface SignedTicket {
  /** Unix seconds. */
  readonly expires: number;
  /** The key that allowed it; null where none is named. */
  readonly keyId: string | null;
  /** In base64url: compare it as text, for other texts decode to the same bytes. */
  readonly signature: string;
}

/** Numbers have no leading zeros, so that a ticket has one spelling. */
const TICKET = /^([1-9]\d{0,11})\.(?:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-)?([A-Za-z0-9_-]{43})$/;

/** `<expires>.<signature>` or `<expires>.<key>-<signature>`. */
export function writeTicket({ expires, keyId, signature }: SignedTicket): string {
  return `${expires}.${keyId === null ? '' : `${keyId}-`}${signature}`;
}

/** Null for anything that `writeTicket` does not write. */
export function readTicket(text: string): SignedTicket | null {
  const [, expires, keyId = null, signature = ''] = TICKET.exec(text) ?? [];
  return expires === undefined ? null : { expires: Number(expires), keyId, signature };
}
