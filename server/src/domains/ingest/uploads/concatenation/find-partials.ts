import type { ViewerScope } from '../../../../gql/index.ts';
import { AppError } from '../../../../kernel/errors.ts';
import type { IngestionId } from '../../../../kernel/ids.ts';
import { type Text, t } from '../../../../kernel/languages/message.ts';
import type { Clock } from '../../../../platform/clock.ts';
import type { Database } from '../../../../platform/db/database.ts';
import { findIngestion } from '../ingestions.store.ts';
import { findNamedPartials, type NamedPartial } from './partial-uploads.store.ts';
import { UPLOAD_CONCAT, type UploadConcat } from './upload-concat.ts';

/** The parts of a new upload, in the order of the file. */
export interface Concatenation {
  /** Upload-Concat as it was sent. */
  readonly header: string;
  readonly partials: readonly IngestionId[];
  readonly sizeBytes: number;
  readonly largestBytes: number;
}

type FinalConcat = Extract<UploadConcat, { kind: 'FINAL' }>;

/**
 * The partial uploads that a final one names, all complete; or the upload that an earlier request has joined them to,
 * if it was the same request (its response may have been lost).
 * @throws AppError RESOURCE_NOT_FOUND for what the viewer may not use; INVALID_INPUT for an upload that is no partial
 *   one, and for one that is named twice; TOKEN_EXPIRED (410) for one that has ended; UPLOAD_FAILED (409) while one is
 *   incomplete; RESOURCE_ALREADY_EXISTS for one that belongs to another upload.
 */
export async function findPartials(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { scope }: { readonly scope: ViewerScope },
  { header, partials }: FinalConcat,
  uploadMetadata: string | null,
): Promise<Concatenation | { readonly joinedTo: IngestionId }> {
  const found = await findNamedPartials(
    db,
    partials.filter((id) => id !== null),
    scope,
  );
  const byId = new Map(found.map((partial) => [partial.id, partial]));
  const named = partials.map((id, index) => {
    const partial = id === null ? undefined : byId.get(id);
    if (!partial) throw unknown(index + 1);
    if (!partial.isPartial) throw notPartial(index + 1);
    return partial;
  });
  refuseTwice(named);
  const joinedTo = await sameRequest(db, named, { header, uploadMetadata });
  if (joinedTo) return { joinedTo };
  const sizes = named.map((partial, index) => completeSize(partial, index + 1, clock.now()));
  return {
    header,
    partials: named.map(({ id }) => id),
    sizeBytes: sizes.reduce((sum, size) => sum + size, 0),
    largestBytes: Math.max(...sizes),
  };
}

/** The upload that the same header and metadata have opened from these parts before; null where there is none. */
async function sameRequest(
  db: Database,
  named: readonly NamedPartial[],
  { header, uploadMetadata }: { readonly header: string; readonly uploadMetadata: string | null },
): Promise<IngestionId | null> {
  const finalId = named[0]?.finalId ?? null;
  if (finalId === null || named.some((partial, index) => !isAt(partial, finalId, index + 1))) return null;
  const final = await findIngestion(db, finalId);
  const isSame = final?.uploadConcat === header && final.uploadMetadata === uploadMetadata && !final.contentDeleted;
  return isSame && (final.state === 'OPEN' || final.state === 'FINISHED') ? finalId : null;
}

function isAt(partial: NamedPartial, finalId: IngestionId, position: number): boolean {
  return partial.finalId === finalId && partial.finalPosition === position;
}

/** The size of a part that can be joined. Throws for any other. */
function completeSize(partial: NamedPartial, number: number, nowMs: number): number {
  const { state, finalId, sizeBytes, receivedBytes, expiresAt } = partial;
  if (finalId !== null) throw usedAlready(t`Part ${number} belongs to another upload already.`);
  if (state !== 'OPEN' || Date.parse(expiresAt) <= nowMs) throw ended(number);
  if (sizeBytes === null || receivedBytes < sizeBytes) throw incomplete(number);
  return sizeBytes;
}

function refuseTwice(named: readonly NamedPartial[]): void {
  const first = new Map<string, number>();
  for (const [index, { id }] of named.entries()) {
    const earlier = first.get(id);
    if (earlier !== undefined)
      throw new AppError('INVALID_INPUT', t`Parts ${earlier} and ${index + 1} are the same upload.`, {
        field: UPLOAD_CONCAT,
        suggestedFix: t`Name each partial upload once.`,
      });
    first.set(id, index + 1);
  }
}

/** The error where a part of an upload is used by another one. */
export function usedAlready(message: Text): AppError {
  return new AppError('RESOURCE_ALREADY_EXISTS', message, {
    field: UPLOAD_CONCAT,
    suggestedFix: t`Open new partial uploads and send the file to them: a part can be used once.`,
  });
}

function unknown(number: number): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no partial upload at the address of part ${number}.`, {
    field: UPLOAD_CONCAT,
    suggestedFix: t`Use the addresses exactly as POST /uploads returned them, with the credential that opened them.`,
  });
}

function notPartial(number: number): AppError {
  return new AppError('INVALID_INPUT', t`Part ${number} is an upload of its own.`, {
    field: UPLOAD_CONCAT,
    suggestedFix: t`Open each part with "Upload-Concat: partial".`,
  });
}

function ended(number: number): AppError {
  return new AppError('TOKEN_EXPIRED', t`Part ${number} has ended: it was cancelled, failed or has expired.`, {
    field: UPLOAD_CONCAT,
    suggestedFix: t`Open a new partial upload in its place and send its bytes again.`,
    httpStatus: 410,
  });
}

function incomplete(number: number): AppError {
  return new AppError('UPLOAD_FAILED', t`Part ${number} is not complete.`, {
    field: UPLOAD_CONCAT,
    suggestedFix: t`Send its missing bytes with PATCH (HEAD returns its offset), then repeat the request.`,
    httpStatus: 400,
  });
}
