import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { AuthCard, TEXT_LINK } from '../features/account/auth-card.tsx';
import { NewPasswordField } from '../features/account/new-password-field.tsx';
import { ApiError } from '../lib/api.ts';
import { signIn, signUp, signUpMode } from '../lib/session.ts';
import { safeRedirectPath } from '../lib/url.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

/** Submits a form, then redirects to the page the visitor came from. */
function useAuthForm(next: string | undefined, send: (form: FormData) => Promise<void>) {
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const onSubmit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await send(new FormData(event.currentTarget));
      const target = safeRedirectPath(next);
      if (/^\/(graphql|docs)/.test(target)) return location.assign(target); // pages outside this app
      await router.invalidate();
      router.history.push(target);
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  const fieldError = (field: string): string | null =>
    error instanceof ApiError && error.field === field ? error.message : null;
  return { busy, error, fieldError, onSubmit: (event: FormEvent<HTMLFormElement>) => void onSubmit(event) };
}

const text = (form: FormData, name: string): string => String(form.get(name) ?? '');

export function SignInPage() {
  const { next } = getRouteApi('/sign-in').useSearch();
  const form = useAuthForm(next, (data) =>
    signIn({ email: text(data, 'email').trim(), password: text(data, 'password') }),
  );
  return (
    <AuthCard title="Welcome back" page="Sign in">
      <form className="space-y-4" onSubmit={form.onSubmit}>
        {form.error !== null && <ErrorNotice error={form.error} />}
        <TextField label="Email" name="email" type="email" autoComplete="email" required />
        <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
        <Button look="primary" type="submit" busy={form.busy} className="w-full">
          Sign in
        </Button>
        <p className="text-center">
          <Link to="/forgot-password" className={TEXT_LINK}>
            Forgot your password?
          </Link>
        </p>
      </form>
      <p className="text-center text-muted">
        New to Reelgraph?{' '}
        <Link to="/sign-up" search={next ? { next } : {}} className={TEXT_LINK}>
          Create an account
        </Link>
      </p>
    </AuthCard>
  );
}

export function SignUpPage() {
  const mode = signUpMode();
  return (
    <AuthCard title={mode === 'closed' ? 'Sign-up is closed' : 'Create your account'} page="Sign up">
      {mode === 'closed' ? (
        <p className="text-muted">This server is not accepting new accounts. Ask an operator to create one for you.</p>
      ) : (
        <SignUpForm byInvitation={mode === 'invite'} />
      )}
      <SignInLink />
    </AuthCard>
  );
}

function SignUpForm({ byInvitation }: { byInvitation: boolean }) {
  const { next, invitation = '' } = getRouteApi('/sign-up').useSearch();
  const form = useAuthForm(next, (data) =>
    signUp({
      email: text(data, 'email').trim(),
      password: text(data, 'password'),
      username: text(data, 'username').trim(),
      invitation: text(data, 'invitation').trim(),
    }),
  );
  return (
    <form className="space-y-4" onSubmit={form.onSubmit}>
      {form.error !== null && <ErrorNotice error={form.error} />}
      {(byInvitation || invitation !== '') && (
        <TextField
          label="Invitation"
          name="invitation"
          required={byInvitation}
          defaultValue={invitation}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="rgi_…"
          hint="This server requires an invitation. Ask an operator for an invitation link."
          error={form.fieldError('invitation')}
        />
      )}
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        required
        minLength={2}
        maxLength={39}
        pattern="[A-Za-z0-9_][A-Za-z0-9_.\-]*"
        title="Letters, digits, underscores, dots and hyphens; cannot start with a dot or hyphen"
        autoCapitalize="none"
        spellCheck={false}
        hint="Also your channel handle. Use letters, digits, underscores, dots and hyphens."
        error={form.fieldError('username')}
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        required
        error={form.fieldError('email')}
      />
      <NewPasswordField label="Password" name="password" error={form.fieldError('password')} />
      <Button look="primary" type="submit" busy={form.busy} className="w-full">
        Create account
      </Button>
    </form>
  );
}

function SignInLink() {
  const { next } = getRouteApi('/sign-up').useSearch();
  return (
    <p className="text-center text-muted">
      Already have an account?{' '}
      <Link to="/sign-in" search={next ? { next } : {}} className={TEXT_LINK}>
        Sign in
      </Link>
    </p>
  );
}
