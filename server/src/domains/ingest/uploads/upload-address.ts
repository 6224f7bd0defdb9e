import { type IngestionId, isUuid } from '../../../kernel/ids.ts';
import { type Secrets, signerOf } from '../../../platform/config/secret-key.ts';

const UUID_LENGTH = 36;

/**
 * The address one upload goes to: `<base>/uploads/<id>-<token>`. The token is derived from the id and the secret key,
 * so the address can be returned again at any time and no secret is stored.
 */
export function uploadEndpoint(baseUrl: string, secrets: Secrets, id: string): string {
  return `${baseUrl}/uploads/${id}-${secrets.mac('upload-token', id).toString('base64url')}`;
}

/** How an upload address authorizes: by its token, or only for an authenticated owner. */
export interface UploadAddress {
  readonly id: IngestionId;
  readonly authorised: 'by token' | 'by owner only';
}

/** Reads the last part of an upload address; null when it is malformed or its token is not genuine. */
export function readUploadAddress(secrets: Secrets, part: string): UploadAddress | null {
  const id = part.slice(0, UUID_LENGTH);
  if (!isUuid(id)) return null;
  // Checked on the line above: this is a UUID, and it is only used to look up uploads.
  const ingestionId = id as IngestionId;
  if (part.length === UUID_LENGTH) return { id: ingestionId, authorised: 'by owner only' };
  const genuine = part[UUID_LENGTH] === '-' && signerOf(secrets, 'upload-token', id, part.slice(UUID_LENGTH + 1));
  return genuine ? { id: ingestionId, authorised: 'by token' } : null;
}
