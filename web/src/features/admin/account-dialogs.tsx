import {
  type AccountRowFragment,
  ReinstateAccount,
  SendPasswordReset,
  SetAccountPlan,
  SuspendAccount,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { PLAN_NAMES, planCode } from '../account/plan-names.ts';
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
        <Dialog open title={t`Suspend account`} onClose={onClose}>
          <SuspendForm {...properties} />
        </Dialog>
      );
    case 'plan':
      return (
        <Dialog open title={t`Plan of ${account.username}`} onClose={onClose}>
          <PlanForm {...properties} />
        </Dialog>
      );
    case 'reinstate':
      return (
        <Confirm
          open
          title={t`End suspension?`}
          confirmLabel={t`End suspension`}
          look="primary"
          onConfirm={async () => onChanged((await api(ReinstateAccount, { id: account.id })).reinstateAccount.account)}
          onClose={onClose}
        >
          <p>
            <Trans>{name} can sign in again, and its API key works again. It is notified by email.</Trans>
          </p>
        </Confirm>
      );
    case 'reset':
      return (
        <Confirm
          open
          title={t`Send password reset?`}
          confirmLabel={t`Send`}
          look="primary"
          onConfirm={async () =>
            onChanged((await api(SendPasswordReset, { id: account.id })).sendPasswordReset.account)
          }
          onClose={onClose}
        >
          <p>
            <Trans>{name} gets a link to choose a new password. It works for an hour.</Trans>
          </p>
        </Confirm>
      );
  }
}

type FormProperties = Omit<Properties, 'action'>;

function SuspendForm({ account, onClose, onChanged }: FormProperties) {
  const form = useForm(async (data) => {
    onChanged((await api(SuspendAccount, { id: account.id, reason: textOf(data, 'reason') })).suspendAccount.account);
    onClose();
  });
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      <p>
        <Trans>
          <strong className="[overflow-wrap:anywhere]">{account.username}</strong> is signed out and cannot sign in; its
          API key, tokens and applications stop working. What it published stays.
        </Trans>
      </p>
      {form.error !== null && <ErrorNotice error={form.error} />}
      <TextArea
        label={t`Reason`}
        name="reason"
        required
        maxLength={500}
        hint={t`Sent to the account by email.`}
        error={form.fieldError('reason')}
      />
      <DialogButtons>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button type="submit" look="danger" busy={form.busy}>{t`Suspend`}</Button>
      </DialogButtons>
    </form>
  );
}

const STATES = {
  ACTIVE: t`Active`,
  TRIALING: t`Trial`,
  PAST_DUE: t`Past due`,
  CANCELED: t`Canceled`,
  EXPIRED: t`Expired`,
};

function PlanForm({ account, onClose, onChanged }: FormProperties) {
  const form = useForm(async (data) => {
    const day = textOf(data, 'endsAt');
    const input = {
      plan: textOf(data, 'plan') as keyof typeof PLAN_NAMES, // the options of the list
      state: textOf(data, 'state') as keyof typeof STATES,
      endsAt: day === '' ? null : new Date(`${day}T00:00:00Z`).toISOString(),
    };
    onChanged((await api(SetAccountPlan, { id: account.id, input })).setAccountPlan.account);
    onClose();
  });
  const current = planCode(account.subscription.plan.name);
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      {form.error !== null && <ErrorNotice error={form.error} />}
      <SelectField label={t`Plan`} name="plan" defaultValue={current}>
        {Object.entries(PLAN_NAMES).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField label={t`State`} name="state" defaultValue={account.subscription.state}>
        {Object.entries(STATES).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t`Ends on (optional)`}
        name="endsAt"
        type="date"
        hint={t`End of a trial or of a canceled subscription, in UTC.`}
        error={form.fieldError('endsAt')}
      />
      <DialogButtons>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button type="submit" look="primary" busy={form.busy}>{t`Save`}</Button>
      </DialogButtons>
    </form>
  );
}
