import type { DeliveryPartsFragment } from '../../gql/generated/operations.gen.ts';
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
  if (status === 'PENDING') return 'The test event waits to be sent.';
  const time = durationMs === null ? '' : ` in ${latency(durationMs)}`;
  if (status === 'DELIVERED') return `Your endpoint responded with HTTP ${responseStatus}${time}.`;
  return `The test event failed${time}: ${error}`;
}
