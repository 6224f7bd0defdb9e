import { isUuid } from '../../../kernel/ids.ts';
import { type Secrets, signerOf } from '../../../platform/config/secret-key.ts';
import { readTicket, writeTicket } from '../../../platform/signed-ticket.ts';

/** An address is valid for this long, or until its file is deleted. */
export const ADDRESS_HOURS = 24;
const HOUR_SECONDS = 3600;

interface AddressedFile {
  readonly id: string;
  /** When its file is deleted, Unix milliseconds. */
  readonly expiresMs: number;
  /** File name of the download. */
  readonly filename: string;
}

/**
 * The signed address of a file, `/exports/<id>/<expires>.<signature>/<name>`: whoever has it may download the file.
 * Its expiry is rounded to the hour, so that it is the same when it is read twice.
 */
export function exportAddress(
  { baseUrl, secrets, nowMs }: { readonly baseUrl: string; readonly secrets: Secrets; readonly nowMs: number },
  { id, expiresMs, filename }: AddressedFile,
): string {
  const rounded = (Math.ceil(nowMs / 1_000 / HOUR_SECONDS) + ADDRESS_HOURS) * HOUR_SECONDS;
  const expires = Math.min(rounded, Math.floor(expiresMs / 1_000));
  const signature = secrets.mac('export-address', `${id}.${expires}`).toString('base64url');
  const ticket = writeTicket({ expires, keyId: null, signature });
  return `${baseUrl}/exports/${id}/${ticket}/${filename}`;
}

/** `contents-2026-11-25.jsonl`. */
export function exportFilename(name: string, createdAt: string): string {
  return `${name.replaceAll(/[^A-Za-z0-9_]/g, '')}-${createdAt.slice(0, 10)}.jsonl`;
}

/** Whether the parts of an address belong together, and until when it is valid (Unix milliseconds). */
export function checkExportAddress(
  secrets: Secrets,
  id: string,
  text: string,
): { readonly kind: 'genuine'; readonly untilMs: number } | { readonly kind: 'forged' } {
  const ticket = readTicket(text);
  if (!isUuid(id) || ticket === null || ticket.keyId !== null) return { kind: 'forged' };
  if (!signerOf(secrets, 'export-address', `${id}.${ticket.expires}`, ticket.signature)) return { kind: 'forged' };
  return { kind: 'genuine', untilMs: ticket.expires * 1_000 };
}
