import type { WebhookPartsFragment } from '../../gql/generated/operations.gen.ts';
import { ago } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';

const OFF = {
  OWNER: t`Disabled`,
  FAILURES: t`Disabled: no delivery succeeded for three days`,
  GONE: t`Disabled: the endpoint responded with 410 Gone`,
} as const;

/** Whether a webhook is active, failing or off, and why. */
export function WebhookState({
  webhook: { isEnabled, disabledReason, failingSince },
}: {
  webhook: WebhookPartsFragment;
}) {
  const failing = isEnabled && failingSince !== null;
  return (
    <p className="flex items-center gap-2 text-sm">
      <span
        aria-hidden="true"
        className={`size-2.5 rounded-full ${failing ? 'bg-danger' : isEnabled ? 'bg-sea' : 'bg-line-strong'}`}
      />
      {failing && t`Failing since ${ago(failingSince, Date.now())}`}
      {!failing && isEnabled && t`Active`}
      {!isEnabled && OFF[disabledReason ?? 'OWNER']}
    </p>
  );
}
