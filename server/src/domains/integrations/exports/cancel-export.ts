import type { StatementCommand } from '../../../gql/index.ts';
import { cancelExportWrites, EXPORT_TARGET, type ExportTarget } from './cancel-export.store.ts';
import { EXPORT_CANCELLATION } from './data-export.policy.ts';

/** Cancels an export that has not ended; its worker stops at the next part. One round trip; idempotent. */
export const cancelExport: StatementCommand<{ readonly id: string }, ExportTarget> = {
  prepare: ({ id }, env) => ({ id: env.parseDid(id, ['dataExport'], 'id').id }),
  payload: ({ id }) => id,
  row: 'cancelled',
  target: EXPORT_TARGET,
  policy: EXPORT_CANCELLATION,
  writes: cancelExportWrites,
};
