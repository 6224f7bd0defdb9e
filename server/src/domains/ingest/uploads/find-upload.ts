import type { IncomingMessage } from 'node:http';
import type { Viewer } from '../../../gql/index.ts';
import { AppError, ERROR_CATALOGUE, type ErrorCode } from '../../../kernel/errors.ts';
import { t, textOf } from '../../../kernel/languages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/config/secret-key.ts';
import type { Database } from '../../../platform/db/database.ts';
import { requireTokenChannels } from '../../channels/index.ts';
import { findIngestion, type Ingestion, mayUpload } from './ingestions.store.ts';
import { readUploadAddress } from './upload-address.ts';

/** The sender of a request. */
export type Uploader = Pick<Viewer, 'accountId' | 'channelId' | 'token' | 'scope'>;

/** Authorizes a request for the permission `asset:upload`. Throws UNAUTHENTICATED or UNAUTHORIZED. */
export type AuthenticateUploader = (request: IncomingMessage) => Promise<Uploader>;

export interface FindUploadTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly authenticate: AuthenticateUploader;
}

/**
 * The upload of a request, when the sender may work on it. A valid token is enough; without one, a role in the channel
 * that may upload is required. Uploads that the sender may not see are RESOURCE_NOT_FOUND.
 */
export async function findUpload(
  tools: FindUploadTools,
  request: IncomingMessage,
  address: string,
): Promise<Ingestion> {
  const read = readUploadAddress(tools.secrets, address);
  if (!read) throw notFound();
  const uploader = read.authorised === 'by token' ? null : await tools.authenticate(request);
  const upload = await findIngestion(tools.db, read.id);
  if (uploader) await requireTokenChannels(tools.db, uploader, [{ kind: 'ingestion', id: read.id, field: 'endpoint' }]);
  if (!upload || upload.contentDeleted || (uploader && !(await mayUpload(tools.db, upload.id, uploader.scope))))
    throw notFound();
  return upload;
}

/** tus 1.0.0, "Expiration" and "Termination": the status of an upload that is known, and over. */
const GONE = 410;

/** Throws unless the upload is open or complete: TOKEN_EXPIRED, or the error it ended with; both with status 410. */
export function requireUsable(upload: Ingestion, clock: Clock): void {
  if (upload.state === 'FAILED') throw endedError(upload);
  if (upload.isTerminated) throw terminated();
  const over = upload.state === 'EXPIRED' || (upload.state === 'OPEN' && Date.parse(upload.expiresAt) <= clock.now());
  if (!over) return;
  throw new AppError(
    'TOKEN_EXPIRED',
    t`This upload made no progress for 24 hours, or was not complete after 7 days, and has expired.`,
    {
      suggestedFix: t`Open a new upload (createContentAsset or publishVideo) and send the file to its endpoint.`,
      httpStatus: GONE,
    },
  );
}

/** The error an upload failed with. */
export function endedError(upload: Pick<Ingestion, 'errorCode' | 'error'>): AppError {
  const code = upload.errorCode ?? '';
  // Stored codes are from the catalogue; one that was removed since becomes the general one.
  const known = code in ERROR_CATALOGUE ? (code as ErrorCode) : 'UPLOAD_FAILED';
  return new AppError(known, upload.error ? textOf(upload.error) : undefined, {
    suggestedFix: t`Open a new upload (createContentAsset or publishVideo) and send the file to its endpoint.`,
    httpStatus: GONE,
  });
}

function terminated(): AppError {
  return new AppError('TOKEN_EXPIRED', t`This upload was complete when its sender ended it.`, {
    suggestedFix: t`Its file belongs to the content: delete it with deleteContent, or replace it with
      replaceContentVideo.`,
    httpStatus: GONE,
  });
}

function notFound(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no upload at this address.`, {
    suggestedFix: t`Use the endpoint exactly as returned by createContentAsset, publishVideo or POST /uploads.`,
  });
}
