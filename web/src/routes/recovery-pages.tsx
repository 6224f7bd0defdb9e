import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { AuthCard, TEXT_LINK } from '../features/security/auth-card.tsx';
import { NewPasswordField } from '../features/security/new-password-field.tsx';
import { typedEmail } from '../features/security/typed-email.ts';
import { useLinkToken } from '../features/security/use-link-token.ts';
import { requestPasswordReset, resetPassword, sendsMail } from '../lib/account.ts';
import { textOf, useForm } from '../lib/hooks/use-form.ts';
import { Trans, t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

/** Asks for a link that resets the password. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState<string | null>(null);
  const form = useForm(async (data) => {
    const given = textOf(data, 'email');
    await requestPasswordReset(given);
    setEmail(given);
  });
  if (email !== null)
    return (
      <AuthCard title={sendsMail() ? t`Check your mail` : t`Ask the operator for the link`} page={t`Reset password`}>
        <p role="status" className="[overflow-wrap:anywhere]">
          {sendsMail() ? (
            <Trans>
              If <strong>{email}</strong> has an account, we sent it a link to choose a new password. The link works for
              an hour.
            </Trans>
          ) : (
            <Trans>
              This server does not send mail. If <strong>{email}</strong> has an account, its operator finds the link in
              the mail folder of the server and can pass it on to you. The link works for an hour.
            </Trans>
          )}
        </p>
        <BackToSignIn />
      </AuthCard>
    );
  return (
    <AuthCard title={t`Reset your password`} page={t`Reset password`}>
      <p className="text-muted">{t`Enter the email address of your account to get a link to choose a new password.`}</p>
      <form className="space-y-4" onSubmit={form.onSubmit}>
        {form.error !== null && <ErrorNotice error={form.error} />}
        <TextField
          label={t`Email`}
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={typedEmail()}
          required
          error={form.fieldError('email')}
        />
        <Button look="primary" type="submit" busy={form.busy} className="w-full">{t`Send link`}</Button>
      </form>
      <BackToSignIn />
    </AuthCard>
  );
}

/** Chooses a new password with the token of the link. */
export function ResetPasswordPage() {
  const token = useLinkToken();
  const [done, setDone] = useState(false);
  const form = useForm(async (data) => {
    await resetPassword(token, String(data.get('newPassword') ?? ''));
    setDone(true);
  });
  if (done)
    return (
      <AuthCard title={t`Your password was changed`} page={t`Reset password`}>
        <p role="status">{t`All sessions were signed out. Sign in with your new password.`}</p>
        <BackToSignIn />
      </AuthCard>
    );
  if (token === '')
    return (
      <AuthCard title={t`This link is incomplete`} page={t`Reset password`}>
        <p>
          <Trans>
            Open the link in the message again, or{' '}
            <Link to="/forgot-password" className={TEXT_LINK}>
              request another one
            </Link>
            .
          </Trans>
        </p>
      </AuthCard>
    );
  return (
    <AuthCard title={t`Choose a new password`} page={t`Reset password`}>
      <form className="space-y-4" onSubmit={form.onSubmit}>
        {form.error !== null && (
          <ErrorNotice
            error={form.error}
            action={
              form.fieldError('token') && (
                <Link to="/forgot-password" className={TEXT_LINK}>{t`Request another link`}</Link>
              )
            }
          />
        )}
        <NewPasswordField label={t`New password`} name="newPassword" error={form.fieldError('newPassword')} />
        <Button look="primary" type="submit" busy={form.busy} className="w-full">{t`Change password`}</Button>
      </form>
    </AuthCard>
  );
}

function BackToSignIn() {
  return (
    <p className="text-center">
      <Link to="/sign-in" className={TEXT_LINK}>{t`Sign in`}</Link>
    </p>
  );
}
