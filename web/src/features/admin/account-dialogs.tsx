import {
  type AccountRowFragment,
  ReinstateAccount,
  SendPasswordReset,
  SetAccountPlan,
  SuspendAccount,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { textOf, useForm } from '../../lib/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import type { AccountAction } from './account-row.tsx';

interface Properties {
  readonly action: AccountAction;
  readonly account: AccountRowFragment;
  readonly onClose: () => void;
  /** The account as it is now. */
  readonly onChanged: (account: AccountRowFragment) => void;
}

/** The dialog of an action for an account. */
export function AccountDialog({ action, ...properties }: Properties) {
  const { account, onClose, onChanged } = properties;
  const name = <strong className="[overflow-wrap:anywhere]">{account.username}</strong>;
  switch (action) {
    case 'suspend':
      return (
        <Dialog open title="Suspend account" onClose={onClose}>
          <SuspendForm {...properties} />
        </Dialog>
      );
    case 'plan':
      return (
        <Dialog open title={`Plan of ${account.username}`} onClose={onClose}>
          <PlanForm {...properties} />
        </Dialog>
      );
    case 'reinstate':
      return (
        <Confirm
          open
          title="End suspension?"
          confirmLabel="End suspension"
          look="primary"
          onConfirm={async () => onChanged((await api(ReinstateAccount, { id: account.id })).reinstateAccount)}
          onClose={onClose}
        >
          <p>{name} can sign in again, and its API key works again. It is notified by email.</p>
        </Confirm>
      );
    case 'reset':
      return (
        <Confirm
          open
          title="Send password reset?"
          confirmLabel="Send"
          look="primary"
          onConfirm={async () => onChanged((await api(SendPasswordReset, { id: account.id })).sendPasswordReset)}
          onClose={onClose}
        >
          <p>{name} gets a link to choose a new password. It works for an hour.</p>
        </Confirm>
      );
  }
}

type FormProperties = Omit<Properties, 'action'>;

function SuspendForm({ account, onClose, onChanged }: FormProperties) {
  const form = useForm(async (data) => {
    onChanged((await api(SuspendAccount, { id: account.id, reason: textOf(data, 'reason') })).suspendAccount);
    onClose();
  });
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      <p>
        <strong className="[overflow-wrap:anywhere]">{account.username}</strong> is signed out and cannot sign in; its
        API key, tokens and applications stop working. What it published stays.
      </p>
      {form.error !== null && <ErrorNotice error={form.error} />}
      <TextArea
        label="Reason"
        name="reason"
        required
        maxLength={500}
        hint="Sent to the account by email."
        error={form.fieldError('reason')}
      />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="danger" busy={form.busy}>
          Suspend
        </Button>
      </DialogButtons>
    </form>
  );
}

const PLANS = { FREE: 'Free', PREMIUM: 'Premium', PREMIUM_PLUS: 'Premium+', CREATOR_PLUS: 'Creator+' } as const;
const STATES = { ACTIVE: 'Active', TRIALING: 'Trial', PAST_DUE: 'Past due', CANCELED: 'Canceled', EXPIRED: 'Expired' };

function PlanForm({ account, onClose, onChanged }: FormProperties) {
  const form = useForm(async (data) => {
    const day = textOf(data, 'endsAt');
    const input = {
      plan: textOf(data, 'plan') as keyof typeof PLANS, // the options of the list
      state: textOf(data, 'state') as keyof typeof STATES,
      endsAt: day === '' ? null : new Date(`${day}T00:00:00Z`).toISOString(),
    };
    onChanged((await api(SetAccountPlan, { id: account.id, input })).setAccountPlan);
    onClose();
  });
  const current = Object.entries(PLANS).find(([, name]) => name === account.subscription.plan.name)?.[0];
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      {form.error !== null && <ErrorNotice error={form.error} />}
      <SelectField label="Plan" name="plan" defaultValue={current}>
        {Object.entries(PLANS).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField label="State" name="state" defaultValue={account.subscription.state}>
        {Object.entries(STATES).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Ends on (optional)"
        name="endsAt"
        type="date"
        hint="End of a trial or of a canceled subscription, in UTC."
        error={form.fieldError('endsAt')}
      />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" busy={form.busy}>
          Save
        </Button>
      </DialogButtons>
    </form>
  );
}
