import { type RequestEnv, type RevisionInput, readChanges, requireRevision } from '../../../gql/index.ts';
import type { Database } from '../../../platform/db/database.ts';
import { USAGE_LIMIT_FIELDS, type UsageLimitsInput } from './usage-limit-fields.ts';
import { lockUsageLimits, setUsageLimits } from './usage-limits.store.ts';

/**
 * Changes the usage limits of an account's key; what sets none where there are none writes nothing.
 * @throws AppError INVALID_INPUT with the field, CONFLICT.
 */
export async function changeUsageLimits(
  db: Database,
  accountId: string,
  { ifRevision, ...input }: UsageLimitsInput & RevisionInput,
  env: Pick<RequestEnv, 'nowIso'>,
): Promise<void> {
  const changes = readChanges(USAGE_LIMIT_FIELDS, input);
  await db.transaction(async (tx) => {
    const present = await lockUsageLimits(tx, accountId);
    requireRevision({ ifRevision }, present, USAGE_LIMIT_FIELDS, changes, env);
    if (present.revision === 0 && Object.values(changes).every((limit) => limit === null)) return;
    await setUsageLimits(tx, accountId, input, env.nowIso);
  });
}
