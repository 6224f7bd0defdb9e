import { useState } from 'react';
import { sendsMail } from '../../lib/account.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { t } from '../../lib/i18n.ts';
import type { SessionUser } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { changeEmail, requestEmailConfirmation } from './security-api.ts';

/** The address of the account: whether it is confirmed, and a new one. */
export function EmailPanel({ user }: { readonly user: SessionUser }) {
  const [note, setNote] = useState('');
  const form = useForm(async (data, element) => {
    setNote('');
    const email = textOf(data, 'email');
    const outcome = await changeEmail(email, String(data.get('password') ?? ''));
    element.reset();
    setNote(
      outcome === 'changed'
        ? t`Changed.`
        : t`We sent a link to ${email}. The address changes when you open it, within a day.`,
    );
  });
  return (
    <Panel title={t`Email address`}>
      <Current user={user} />
      <form onSubmit={form.onSubmit} onChange={form.onChange} className="space-y-4">
        {form.error !== null && <ErrorNotice error={form.error} />}
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t`New email address`}
            name="email"
            type="email"
            autoComplete="email"
            required
            error={form.fieldError('email')}
          />
          <TextField
            label={t`Password`}
            name="password"
            type="password"
            autoComplete="current-password"
            required
            error={form.fieldError('password')}
          />
        </div>
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" busy={form.busy}>{t`Change email address`}</Button>
          <p role="status" className="text-sm text-sea [overflow-wrap:anywhere]">
            {note}
          </p>
        </div>
      </form>
    </Panel>
  );
}

function Current({ user: { email, emailVerified } }: { readonly user: SessionUser }) {
  const action = useAction();
  const [sent, setSent] = useState(false);
  const send = (): void =>
    action.run('send', async () => {
      await requestEmailConfirmation();
      setSent(true);
    });
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="[overflow-wrap:anywhere]">
        {email}{' '}
        {sendsMail() && (
          <span className={`text-sm ${emailVerified ? 'text-sea' : 'text-muted'}`}>
            {emailVerified ? t`Confirmed` : t`Not confirmed`}
          </span>
        )}
      </p>
      {action.error !== null && <ErrorNotice error={action.error} />}
      {sendsMail() && !emailVerified && (
        <Button busy={action.busy !== null} disabled={sent} onClick={send}>
          {sent ? t`Link sent` : t`Send confirmation link`}
        </Button>
      )}
    </div>
  );
}
