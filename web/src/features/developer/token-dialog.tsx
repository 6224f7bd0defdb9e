import { useState } from 'react';
import { CreateToken, type CreateTokenResult } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { plural, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import type { DeveloperChannel } from './channel-select.tsx';
import { ChannelFields } from './token-channels.tsx';
import { PermissionFields } from './token-permission-fields.tsx';
import type { TokenPermission } from './token-permissions.ts';

const DAY_MS = 86_400_000;

type Form = ReturnType<typeof useForm>;

interface Properties {
  readonly open: boolean;
  readonly permissions: readonly TokenPermission[];
  readonly memberships: readonly DeveloperChannel[];
  readonly onCreated: (created: CreateTokenResult['createToken']) => void;
  readonly onClose: () => void;
}

/** The dialog to create a token. */
export function TokenDialog({ open, onClose, ...form }: Properties) {
  return (
    <Dialog open={open} title={t`Create token`} onClose={onClose}>
      <TokenForm {...form} onClose={onClose} />
    </Dialog>
  );
}

function TokenForm({ permissions, memberships, onCreated, onClose }: Omit<Properties, 'open'>) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [channels, setChannels] = useState<ReadonlySet<string> | null>(null);
  const [test, setTest] = useState(false);
  const offered = test ? permissions.filter(({ inTestMode }) => inTestMode) : permissions;
  const selected = offered.filter(({ name }) => chosen.has(name)).map(({ name }) => name);
  const form = useForm(async (data) => {
    const days = textOf(data, 'days');
    const input = {
      name: textOf(data, 'name'),
      permissions: selected,
      channels: channels && !test ? [...channels] : null,
      test,
      expiresAt: days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
    };
    onCreated((await api(CreateToken, { input })).createToken);
  });
  const owned = memberships.filter(({ channel }) => !channel.isTest);
  return (
    <form onSubmit={form.onSubmit} onChange={form.onChange} className="space-y-5">
      {form.error !== null && <ErrorNotice error={form.error} />}
      <NameFields form={form} />
      <CheckField
        label={t`Test mode`}
        hint={t`Works in your test channel only, which nobody else sees. What it makes is deleted after 24 hours.`}
        checked={test}
        onChange={(event) => setTest(event.currentTarget.checked)}
      />
      <PermissionFields offered={offered} chosen={chosen} onChange={setChosen} />
      {!test && owned.length > 1 && <ChannelFields memberships={owned} chosen={channels} onChange={setChannels} />}
      <DialogButtons>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button
          look="primary"
          type="submit"
          busy={form.busy}
          disabled={selected.length === 0 || (!test && channels?.size === 0)}
        >{t`Create token`}</Button>
      </DialogButtons>
    </form>
  );
}

const inDays = (days: number): string => plural(days, { one: '# day', other: '# days' });
const EXPIRIES = [
  ['7', inDays(7)],
  ['30', inDays(30)],
  ['90', inDays(90)],
  ['365', t`1 year`],
  ['', t`No expiration`],
] as const;

/** The name of a token, and when it expires. */
function NameFields({ form }: { form: Form }) {
  return (
    <div className="grid gap-4 sm:grid-cols-[1fr_10rem]">
      <TextField
        label={t`Name`}
        name="name"
        required
        maxLength={80}
        autoComplete="off"
        placeholder={t`Upload script`}
        hint={t`What uses it; shown in the activity log.`}
        error={form.fieldError('name')}
      />
      <SelectField label={t`Expires in`} name="days" defaultValue="90" error={form.fieldError('expiresAt')}>
        {EXPIRIES.map(([days, label]) => (
          <option key={days} value={days}>
            {label}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
