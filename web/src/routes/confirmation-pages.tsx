import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { AuthCard, TEXT_LINK } from '../features/security/auth-card.tsx';
import { useLinkToken } from '../features/security/use-link-token.ts';
import { ApiError } from '../lib/api.ts';
import { confirmEmail, confirmSignUp } from '../lib/session.ts';
import { textOf, useForm } from '../lib/use-form.ts';
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
    await router.invalidate();
    await router.navigate({ to: '/' });
  });
  if (token === '') return <Incomplete page="Sign up" />;
  return (
    <AuthCard title="Create your account" page="Sign up">
      <form className="space-y-4" onSubmit={form.onSubmit}>
        {form.error !== null && (
          <ErrorNotice
            error={form.error}
            action={
              form.fieldError('token') && (
                <Link to="/sign-up" className={TEXT_LINK}>
                  Sign up again
                </Link>
              )
            }
          />
        )}
        {nameTaken ? (
          <TextField label="Username" name="username" required error={form.fieldError('username')} />
        ) : (
          <p>Your email address is confirmed when you create the account.</p>
        )}
        <Button look="primary" type="submit" busy={form.busy} className="w-full">
          Create account
        </Button>
      </form>
    </AuthCard>
  );
}

/** Confirms an address of an account. */
export function ConfirmEmailPage() {
  const token = useLinkToken();
  const form = useForm(() => confirmEmail(token));
  if (token === '') return <Incomplete page="Confirm email address" />;
  return (
    <AuthCard
      title={form.saved ? 'Email address confirmed' : 'Confirm your email address'}
      page="Confirm email address"
    >
      {form.saved ? (
        <p role="status">You sign in with this address from now on, and messages go to it.</p>
      ) : (
        <form className="space-y-4" onSubmit={form.onSubmit}>
          {form.error !== null && <ErrorNotice error={form.error} />}
          <Button look="primary" type="submit" busy={form.busy} className="w-full">
            Confirm
          </Button>
        </form>
      )}
      <p className="text-center">
        <Link to="/settings/security" className={TEXT_LINK}>
          Security settings
        </Link>
      </p>
    </AuthCard>
  );
}

function Incomplete({ page }: { page: string }) {
  return (
    <AuthCard title="This link is incomplete" page={page}>
      <p>Open the link in the message again.</p>
    </AuthCard>
  );
}
