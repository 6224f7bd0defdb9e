import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Joins } from './concatenation/joins.ts';
import { endedPartials, forgetPartial, unjoinedUploads } from './concatenation/partial-uploads.store.ts';
import { endUpload, type FinishUploadTools, finishUpload, removeBytes } from './finish-upload.ts';
import {
  expiredIngestions,
  findIngestion,
  keepPromise,
  sendingIngestions,
  strandedIngestions,
  UPLOAD_LIFE_MS,
} from './ingestions.store.ts';
import type { UploadLocker } from './locks/upload-lock.ts';
import { UPLOAD_REST_MS } from './open-ingestion.ts';

/** Delay before finishing a complete upload is retried. */
const STRANDED_MS = 60_000;
const LOCK_PATIENCE_MS = 1_000;

export interface SweepTools extends FinishUploadTools {
  readonly locker: UploadLocker;
  readonly joins: Joins;
}

/**
 * Finishes uploads that have all their bytes but were not finished (the instance was killed, the database unavailable),
 * and expires idle or overdue ones with their bytes. Parts that are not joined to their upload begin to be, and those
 * that ended long ago are forgotten. Progress of a running request extends the reservation of its upload. Safe to run
 * on several instances at once. Returns how many ended.
 */
export async function sweepIngestions(tools: SweepTools): Promise<number> {
  const { db, clock, log } = tools.platform;
  const nowMs = clock.now();
  // Every request extends the expiry, so it shows when the last one was.
  const stranded = await strandedIngestions(db, new Date(nowMs - STRANDED_MS + UPLOAD_REST_MS).toISOString());
  const alone = (id: string, work: () => Promise<void>) =>
    tools.locker.hold(id, AbortSignal.timeout(LOCK_PATIENCE_MS), work);
  let ended = 0;
  for (const { id } of stranded) ended += await attempt(() => alone(id, () => finishUpload(tools, id)));
  for (const { id } of await expiredIngestions(db, new Date(nowMs).toISOString()))
    ended += await attempt(() => alone(id, () => expire(tools, id)));
  for (const { id } of await unjoinedUploads(db, new Date(nowMs).toISOString())) tools.joins.begin(id);
  for (const { id, objectKey } of await endedPartials(db, new Date(nowMs - UPLOAD_LIFE_MS).toISOString())) {
    await removeBytes(tools, objectKey);
    await forgetPartial(db, id);
  }
  for (const { id, objectKey } of await sendingIngestions(db))
    await keepPromise(db, id, await tools.receiving.receivedBytes(objectKey));
  return ended;

  async function attempt(work: () => Promise<void>): Promise<number> {
    try {
      await work();
      return 1;
    } catch (error) {
      // A rejected image has ended too; anything else is retried next time.
      if (!(error instanceof AppError)) log.warn({ error }, 'an upload could not be finished');
      return 0;
    }
  }
}

async function expire(tools: SweepTools, id: string): Promise<void> {
  const upload = await findIngestion(tools.platform.db, id);
  if (upload?.state !== 'OPEN' || Date.parse(upload.expiresAt) > tools.platform.clock.now()) return;
  await endUpload(tools, upload, {
    state: 'EXPIRED',
    code: 'TOKEN_EXPIRED',
    text: t`The upload made no progress for 24 hours, or was not complete after 7 days, and has expired.`,
  });
}
