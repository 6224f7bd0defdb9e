import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { AuthCard, TEXT_LINK } from '../features/security/auth-card.tsx';
import { useLinkToken } from '../features/security/use-link-token.ts';
import { confirmEmail, confirmSignUp } from '../lib/account.ts';
import { ApiError } from '../lib/api.ts';
import { textOf, useForm } from '../lib/hooks/use-form.ts';
import { t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

/** Completes a sign-up: programs that follow the links of a message press no button. */
export function ConfirmSignUpPage() {
  const router = useRouter();
  const token = useLinkToken();
  const [nameTaken, setNameTaken] = useState(false);
  const form = useForm(async (data) => {
    try {
      await confirmSignUp(token, nameTaken ? textOf(data, 'username') : undefined);
    } catch (error) {
      if (error instanceof ApiError && error.field === 'username') setNameTaken(true);
      throw error;
    }
    await router.invalidate({ sync: true });
    await router.navigate({ to: '/' });
  });
  if (token === '') return <Incomplete page={t`Sign up`} />;
  return (
    <AuthCard title={t`Create your account`} page={t`Sign up`}>
      <form className="space-y-4" onSubmit={form.onSubmit}>
        {form.error !== null && (
          <ErrorNotice
            error={form.error}
            action={form.fieldError('token') && <Link to="/sign-up" className={TEXT_LINK}>{t`Sign up again`}</Link>}
          />
        )}
        {nameTaken ? (
          <TextField label={t`Username`} name="username" required error={form.fieldError('username')} />
        ) : (
          <p>{t`Your email address is confirmed when you create the account.`}</p>
        )}
        <Button look="primary" type="submit" busy={form.busy} className="w-full">{t`Create account`}</Button>
      </form>
    </AuthCard>
  );
}

/** Confirms an address of an account. */
export function ConfirmEmailPage() {
  const token = useLinkToken();
  const form = useForm(() => confirmEmail(token));
  if (token === '') return <Incomplete page={t`Confirm email address`} />;
  return (
    <AuthCard
      title={form.saved ? t`Email address confirmed` : t`Confirm your email address`}
      page={t`Confirm email address`}
    >
      {form.saved ? (
        <p role="status">{t`You sign in with this address from now on, and messages go to it.`}</p>
      ) : (
        <form className="space-y-4" onSubmit={form.onSubmit}>
          {form.error !== null && <ErrorNotice error={form.error} />}
          <Button look="primary" type="submit" busy={form.busy} className="w-full">{t`Confirm`}</Button>
        </form>
      )}
      <p className="text-center">
        <Link to="/settings/security" className={TEXT_LINK}>{t`Security settings`}</Link>
      </p>
    </AuthCard>
  );
}

function Incomplete({ page }: { page: string }) {
  return (
    <AuthCard title={t`This link is incomplete`} page={page}>
      <p>{t`Open the link in the message again.`}</p>
    </AuthCard>
  );
}
