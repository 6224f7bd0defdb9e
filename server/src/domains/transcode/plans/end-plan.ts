import { INDEXED_PATH } from '../../../media/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { orderObjectPurge } from '../../assets/index.ts';
import { type DeletedPlan, deleteEncodePlan } from './encode-plans.store.ts';

/**
 * Deletes the plan of a job that has made its package, and has the copy in it deleted that was encoded in place of the
 * uploaded file. Null when there was no plan.
 */
export async function endPlan(
  tx: Transaction,
  jobId: string,
  packagePrefix: string,
  nowMs: number,
): Promise<DeletedPlan | null> {
  const plan = await deleteEncodePlan(tx, jobId);
  const indexedKey = packagePrefix + INDEXED_PATH;
  if (plan?.remuxedKey === indexedKey) await orderObjectPurge(tx, indexedKey, nowMs);
  return plan;
}
