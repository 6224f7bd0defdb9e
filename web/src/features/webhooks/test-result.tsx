import type { DeliveryPartsFragment } from '../../gql/generated/operations.gen.ts';
import { t } from '../../lib/i18n.ts';
import { latency } from '../../lib/numbers.ts';

/** What the endpoint answered to a test event; empty before one. */
export function TestResult({ delivery }: { delivery: DeliveryPartsFragment | null }) {
  const accepted = delivery?.status === 'DELIVERED';
  return (
    <p role="status" className={`text-sm empty:hidden ${accepted ? 'text-sea' : 'text-danger'}`}>
      {delivery && resultOf(delivery)}
    </p>
  );
}

function resultOf({ status, responseStatus, durationMs, error }: DeliveryPartsFragment): string {
  if (status === 'PENDING') return t`The test event waits to be sent.`;
  if (status === 'DELIVERED') {
    const code = responseStatus ?? '';
    if (durationMs === null) return t`Your endpoint responded with HTTP ${code}.`;
    return t`Your endpoint responded with HTTP ${code} in ${latency(durationMs)}.`;
  }
  const reason = error ?? '';
  if (durationMs === null) return t`The test event failed: ${reason}`;
  return t`The test event failed in ${latency(durationMs)}: ${reason}`;
}
