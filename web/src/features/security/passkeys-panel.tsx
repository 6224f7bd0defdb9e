import { useState } from 'react';
import { calendarDate } from '../../lib/format.ts';
import { textOf } from '../../lib/hooks/use-form.ts';
import { useRowFocus } from '../../lib/hooks/use-row-focus.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { deviceName } from './device-name.ts';
import { addPasskey, supportsPasskeys } from './passkeys.ts';
import { PasswordDialog, useDialog } from './password-dialog.tsx';
import { type Passkey, passkeys, removePasskey } from './security-api.ts';

/** Passkeys of the account. */
export function PasskeysPanel({ passkeys: first }: { readonly passkeys: readonly Passkey[] }) {
  const [keys, setKeys] = useState(first);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const dialog = useDialog<'add'>();
  const rows = useRowFocus<HTMLUListElement>();
  return (
    <Panel title={t`Passkeys`} hint={t`Sign in with your fingerprint, face or screen lock instead of your password.`}>
      {keys.length > 0 && (
        <ul {...rows} className="divide-y divide-line">
          {keys.map((key) => (
            <li key={key.id} tabIndex={-1} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
              <div className="min-w-0">
                <p className="[overflow-wrap:anywhere]">{key.name ?? t`Passkey`}</p>
                <p className="text-sm text-muted">{t`Added ${calendarDate(key.createdAt)}`}</p>
              </div>
              <Button
                onClick={() => setRemoved(key)}
                aria-label={key.name === null ? t`Remove passkey` : t`Remove ${key.name}`}
              >{t`Remove`}</Button>
            </li>
          ))}
        </ul>
      )}
      {supportsPasskeys() ? (
        <Button onClick={dialog.open('add')}>{t`Add a passkey`}</Button>
      ) : (
        <p className="text-muted">{t`Passkeys need a current browser and an https address with a host name.`}</p>
      )}
      {dialog.name === 'add' && (
        <PasswordDialog
          title={t`Add a passkey`}
          confirmLabel={t`Continue`}
          onClose={dialog.close}
          onPassword={async (password, data) => {
            await addPasskey(textOf(data, 'name'), password);
            setKeys(await passkeys());
            dialog.close();
          }}
        >
          <p>{t`Your browser then asks you to confirm on this or another device.`}</p>
          <TextField
            label={t`Name`}
            name="name"
            required
            maxLength={60}
            defaultValue={deviceName(navigator.userAgent) ?? ''}
            hint={t`To tell your passkeys apart.`}
          />
        </PasswordDialog>
      )}
      <Confirm
        open={removed !== null}
        title={t`Remove this passkey?`}
        confirmLabel={t`Remove`}
        onClose={() => setRemoved(null)}
        onConfirm={async () => {
          if (removed) await removePasskey(removed.id);
          setKeys(await passkeys());
        }}
      >
        <p className="[overflow-wrap:anywhere]">
          {removed?.name
            ? t`${removed.name} can no longer sign in to this account.`
            : t`It can no longer sign in to this account.`}
        </p>
      </Confirm>
    </Panel>
  );
}
