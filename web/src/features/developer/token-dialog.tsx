import { useState } from 'react';
import { CreateToken, type CreateTokenResult } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { plural, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import type { DeveloperChannel } from './channel-select.tsx';
import { PRESETS, permissionGroups, type TokenPermission } from './token-permissions.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number): string => plural(days, { one: '# day', other: '# days' });
const EXPIRIES = [
  ['7', inDays(7)],
  ['30', inDays(30)],
  ['90', inDays(90)],
  ['365', t`1 year`],
  ['', t`No expiration`],
] as const;

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
  const chosenCount = selected.length;
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
  const groups = permissionGroups(offered);
  const owned = memberships.filter(({ channel }) => !channel.isTest);
  return (
    <form onSubmit={form.onSubmit} onChange={form.onChange} className="space-y-5">
      {form.error !== null && <ErrorNotice error={form.error} />}
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
      <CheckField
        label={t`Test mode`}
        hint={t`Works in your test channel only, which nobody else sees. What it makes is deleted after 24 hours.`}
        checked={test}
        onChange={(event) => setTest(event.currentTarget.checked)}
      />
      <fieldset className="min-w-0 space-y-3">
        <legend className="text-sm font-semibold">
          {t`Permissions`}{' '}
          <span className="font-normal text-muted">
            ({chosenCount === 0 ? t`select at least one` : plural(chosenCount, { other: '# selected' })})
          </span>
        </legend>
        <div className="flex flex-wrap gap-2">
          {PRESETS.map(([label, names]) => (
            <Button key={label} className="text-sm" onClick={() => setChosen(new Set(names))}>
              {label}
            </Button>
          ))}
        </div>
        <div className="max-h-80 divide-y divide-line overflow-y-auto rounded-lg border border-line bg-ink">
          {groups.map(({ resource, title, permissions: some }) => (
            // biome-ignore lint/a11y/useSemanticElements: a legend cannot be laid out like the headings around it
            <div key={resource} role="group" aria-label={title} className="space-y-3 px-4 py-3">
              <p className="font-medium">{title}</p>
              {some.map(({ name, description }) => (
                <CheckField
                  key={name}
                  label={<Code className="font-mono text-sm">{name}</Code>}
                  hint={description}
                  checked={chosen.has(name)}
                  onChange={(event) => setChosen(toggled(chosen, name, event.currentTarget.checked))}
                />
              ))}
            </div>
          ))}
        </div>
      </fieldset>
      {!test && owned.length > 1 && <Channels memberships={owned} chosen={channels} onChange={setChannels} />}
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

interface ChannelsProperties {
  readonly memberships: readonly DeveloperChannel[];
  /** Null: all. */
  readonly chosen: ReadonlySet<string> | null;
  readonly onChange: (chosen: ReadonlySet<string> | null) => void;
}

/** Limits the token to channels, for members of several. */
function Channels({ memberships, chosen, onChange }: ChannelsProperties) {
  return (
    <fieldset className="min-w-0 space-y-3">
      <legend className="text-sm font-semibold">{t`Channels`}</legend>
      <CheckField
        label={t`All channels, now and later`}
        checked={chosen === null}
        onChange={(event) => onChange(event.currentTarget.checked ? null : new Set())}
      />
      {chosen && (
        <div className="max-h-48 space-y-3 overflow-y-auto rounded-lg border border-line bg-ink px-4 py-3">
          {memberships.map(({ channel: { id, metadata } }) => (
            <CheckField
              key={id}
              label={
                <span dir="auto" className="[overflow-wrap:anywhere]">
                  {metadata.title}
                </span>
              }
              checked={chosen.has(id)}
              onChange={(event) => onChange(toggled(chosen, id, event.currentTarget.checked))}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}

function toggled(chosen: ReadonlySet<string>, name: string, on: boolean): ReadonlySet<string> {
  const next = new Set(chosen);
  if (on) next.add(name);
  else next.delete(name);
  return next;
}
