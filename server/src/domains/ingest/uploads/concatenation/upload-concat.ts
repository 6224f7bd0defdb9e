import { AppError } from '../../../../kernel/errors.ts';
import type { IngestionId } from '../../../../kernel/ids.ts';
import { type Text, t } from '../../../../kernel/languages/message.ts';
import type { Secrets } from '../../../../platform/config/secret-key.ts';
import { readUploadAddress } from '../upload-address.ts';

/** Of tus 1.0.0, "Concatenation". */
export const UPLOAD_CONCAT = 'Upload-Concat';
/** The most partial uploads that one upload joins: their addresses fit into the headers of a request. */
export const MAX_PARTIALS = 100;

/** What a creation request says in the header Upload-Concat. */
export type UploadConcat =
  | { readonly kind: 'PARTIAL' }
  /** Null for an address that is none of an upload here. */
  | { readonly kind: 'FINAL'; readonly header: string; readonly partials: readonly (IngestionId | null)[] };

/**
 * The header of a creation request: `partial`, or `final;` and the addresses of the partial uploads, which are absolute
 * or relative to the request's. Null without.
 * @throws AppError INVALID_INPUT for anything else, for no address and for more than there may be.
 */
export function readUploadConcat(
  { secrets, baseUrl }: { readonly secrets: Secrets; readonly baseUrl: string },
  header: string | undefined,
): UploadConcat | null {
  if (header === undefined) return null;
  if (header === 'partial') return { kind: 'PARTIAL' };
  const [, list] = /^final;(.*)$/.exec(header) ?? [];
  if (list === undefined) throw invalid(t`${UPLOAD_CONCAT} is neither "partial" nor "final;" and addresses.`);
  const addresses = list.split(' ').filter((address) => address !== '');
  if (addresses.length === 0) throw invalid(t`${UPLOAD_CONCAT} names no partial upload.`);
  if (addresses.length > MAX_PARTIALS)
    throw new AppError('INVALID_INPUT', t`At most ${MAX_PARTIALS} partial uploads are joined to one file.`, {
      field: UPLOAD_CONCAT,
      suggestedFix: t`Send the file in fewer, larger parts.`,
    });
  return { kind: 'FINAL', header, partials: addresses.map((address) => idAt(secrets, baseUrl, address)) };
}

function idAt(secrets: Secrets, baseUrl: string, address: string): IngestionId | null {
  const collection = `${baseUrl}/uploads`;
  if (!URL.canParse(address, collection)) return null;
  const { href } = new URL(address, collection);
  if (!href.startsWith(`${collection}/`)) return null;
  return readUploadAddress(secrets, href.slice(collection.length + 1))?.id ?? null;
}

function invalid(message: Text): AppError {
  return new AppError('INVALID_INPUT', message, {
    field: UPLOAD_CONCAT,
    suggestedFix: t`Send "partial" to open a part of a file, or "final;" and the addresses of all parts in the order of
      the file, separated by spaces.`,
  });
}
