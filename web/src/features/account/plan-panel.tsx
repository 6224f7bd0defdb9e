import type { AccountSettingsResult } from '../../gql/generated/operations.gen.ts';
import { calendarDate } from '../../lib/format.ts';
import { Panel } from '../../ui/panel.tsx';

const STATES = {
  TRIALING: 'trial',
  ACTIVE: 'active',
  PAST_DUE: 'past due',
  CANCELED: 'canceled',
  EXPIRED: 'expired',
} as const;

/** The plan of the account and when it ends. */
export function PlanPanel({
  subscription: { plan, state, endsAt, trial },
}: {
  subscription: AccountSettingsResult['me']['subscription'];
}) {
  const until = trial.active ? trial.endsAt : endsAt;
  return (
    <Panel title="Plan">
      <p>
        <strong>{plan.name}</strong>{' '}
        <span className="text-muted">
          {STATES[state]}
          {until && `, until ${calendarDate(until)}`}
        </span>
      </p>
    </Panel>
  );
}
