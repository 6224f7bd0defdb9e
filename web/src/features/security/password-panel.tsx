import { useForm } from '../../lib/hooks/use-form.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { changePassword } from './security-api.ts';

/** A new password, which ends the other sessions. */
export function PasswordPanel({ onChanged }: { readonly onChanged: () => Promise<void> }) {
  const form = useForm(async (data, element) => {
    await changePassword(String(data.get('currentPassword') ?? ''), String(data.get('newPassword') ?? ''));
    element.reset();
    await onChanged();
  });
  return (
    <Panel title={t`Password`}>
      <form onSubmit={form.onSubmit} onChange={form.onChange} className="space-y-4">
        {form.error !== null && <ErrorNotice error={form.error} />}
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t`Current password`}
            name="currentPassword"
            type="password"
            autoComplete="current-password"
            required
            error={form.fieldError('currentPassword')}
          />
          <NewPasswordField
            label={t`New password`}
            name="newPassword"
            hint={t`At least 8 characters.`}
            error={form.fieldError('newPassword')}
          />
        </div>
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" busy={form.busy}>{t`Change password`}</Button>
          <p role="status" className="text-sm text-sea">
            {form.saved ? t`Changed. Your other sessions were signed out.` : ''}
          </p>
        </div>
      </form>
    </Panel>
  );
}
