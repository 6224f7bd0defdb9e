import type { Transaction } from '../../../platform/db/database.ts';
import { packagePrefix } from '../delivery/media-address.ts';
import { orderObjectPurge } from '../quota/object-purges.store.ts';
import { deleteEncodePlan } from './encode-plans.store.ts';

/** By then every worker has noticed that the plan is gone, and writes no more segments. */
const WRITTEN_MS = 60_000;

/**
 * Drops the plan of a job that ends without a package or is planned again, and has what was encoded deleted. The caller
 * has locked the job, as everything that ends a job does.
 */
export async function dropEncoding(
  tx: Transaction,
  jobId: string,
  { contentId, videoAssetId }: { readonly contentId: string; readonly videoAssetId: string | null },
  nowMs: number,
): Promise<void> {
  const attempt = await deleteEncodePlan(tx, jobId);
  if (attempt === null || videoAssetId === null) return;
  await orderObjectPurge(tx, packagePrefix(contentId, videoAssetId, jobId, attempt), nowMs + WRITTEN_MS);
}
