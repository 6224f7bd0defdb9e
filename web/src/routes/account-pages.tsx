import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { followAccountLanguage } from '../features/language/language.ts';
import { AuthCard, TEXT_LINK } from '../features/security/auth-card.tsx';
import { NewPasswordField } from '../features/security/new-password-field.tsx';
import { signInWithPasskey, supportsPasskeys } from '../features/security/passkeys.ts';
import { ProviderButtons } from '../features/security/provider-buttons.tsx';
import { keepTypedEmail } from '../features/security/typed-email.ts';
import { type Credentials, enterCode, restoreAccount, signIn, signUp, signUpMode } from '../lib/account.ts';
import { ApiError } from '../lib/api.ts';
import { Trans, t } from '../lib/i18n.ts';
import { sessionRefusal } from '../lib/session.ts';
import { privacyUrl, siteName, termsUrl } from '../lib/site.ts';
import { isOutside, safeRedirectPath } from '../lib/url.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icons.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

/** Submits a form, then redirects to the page the visitor came from, unless another step must follow first. */
function useAuthForm(next: string | undefined, send: (form: FormData) => Promise<'signed-in' | 'more'>) {
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const onSubmit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      if ((await send(new FormData(event.currentTarget))) === 'more') return setBusy(false);
      const target = safeRedirectPath(next);
      if ((await followAccountLanguage()) || isOutside(target)) return location.assign(target);
      await router.invalidate({ sync: true });
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
  const [needsCode, setNeedsCode] = useState(false);
  const [closed, setClosed] = useState<Credentials | null>(null);
  if (closed)
    return (
      <AuthCard title={t`Keep your account?`} page={t`Sign in`}>
        <KeepForm
          next={next}
          credentials={closed}
          onCodeNeeded={() => {
            setClosed(null);
            setNeedsCode(true);
          }}
        />
      </AuthCard>
    );
  if (needsCode)
    return (
      <AuthCard title={t`Enter your code`} page={t`Sign in`}>
        <CodeForm next={next} onRestart={() => setNeedsCode(false)} />
      </AuthCard>
    );
  return (
    <AuthCard title={t`Welcome back`} page={t`Sign in`}>
      <PasswordForm next={next} onCodeNeeded={() => setNeedsCode(true)} onClosed={setClosed} />
      {supportsPasskeys() && <PasskeyForm next={next} />}
      <ProviderButtons next={next} />
      <p className="text-center text-muted">
        <Trans>
          New to {siteName()}?{' '}
          <Link to="/sign-up" search={next ? { next } : {}} className={TEXT_LINK}>
            Create an account
          </Link>
        </Trans>
      </p>
    </AuthCard>
  );
}

interface PasswordFormProperties {
  readonly next: string | undefined;
  readonly onCodeNeeded: () => void;
  readonly onClosed: (credentials: Credentials) => void;
}

function PasswordForm({ next, onCodeNeeded, onClosed }: PasswordFormProperties) {
  // Who was signed in and came here from another page reads why.
  const { data: refusal = null } = useQuery({ queryKey: ['sessionRefusal'], queryFn: sessionRefusal, gcTime: 0 });
  const form = useAuthForm(next, async (data) => {
    const credentials = { email: text(data, 'email').trim(), password: text(data, 'password') };
    const outcome = await signIn(credentials);
    if (outcome === 'signed-in') return outcome;
    if (outcome === 'closed') onClosed(credentials);
    else onCodeNeeded();
    return 'more';
  });
  const error = form.error ?? refusal;
  return (
    <form className="space-y-4" onSubmit={form.onSubmit}>
      {error !== null && <ErrorNotice error={error} />}
      <TextField label={t`Email`} name="email" type="email" autoComplete="email" required />
      <TextField label={t`Password`} name="password" type="password" autoComplete="current-password" required />
      <Button look="primary" type="submit" busy={form.busy} className="w-full">{t`Sign in`}</Button>
      <p className="text-center">
        <Link
          to="/forgot-password"
          className={TEXT_LINK}
          onClick={(event) => keepTypedEmail(event.currentTarget.closest('form'))}
        >{t`Forgot your password?`}</Link>
      </p>
    </form>
  );
}

function PasskeyForm({ next }: { next: string | undefined }) {
  const form = useAuthForm(next, async () => {
    await signInWithPasskey();
    return 'signed-in';
  });
  return (
    <form className="space-y-3" onSubmit={form.onSubmit}>
      {form.error !== null && <ErrorNotice error={form.error} />}
      <Button type="submit" busy={form.busy} className="w-full">
        <Icon name="key" className="size-4.5" />
        {t`Continue with a passkey`}
      </Button>
    </form>
  );
}

interface KeepFormProperties {
  readonly next: string | undefined;
  readonly credentials: Credentials;
  readonly onCodeNeeded: () => void;
}

/** Keeps an account that is going to be deleted, and signs it in. */
function KeepForm({ next, credentials, onCodeNeeded }: KeepFormProperties) {
  const form = useAuthForm(next, async () => {
    await restoreAccount(credentials);
    if ((await signIn(credentials)) === 'signed-in') return 'signed-in';
    onCodeNeeded();
    return 'more';
  });
  return (
    <form className="space-y-4" onSubmit={form.onSubmit}>
      {form.error !== null && <ErrorNotice error={form.error} />}
      <p>{t`This account is going to be deleted. If you keep it, everything you published is shown again.`}</p>
      <Button look="primary" type="submit" busy={form.busy} className="w-full">{t`Keep account and sign in`}</Button>
      <p className="text-center">
        <Link to="/" className={TEXT_LINK}>{t`Leave it closed`}</Link>
      </p>
    </form>
  );
}

/** The second factor: a code of the authenticator, or a recovery code. */
function CodeForm({ next, onRestart }: { next: string | undefined; onRestart: () => void }) {
  const [isRecovery, setIsRecovery] = useState(false);
  const form = useAuthForm(next, async (data) => {
    await enterCode(text(data, 'code').trim(), { isRecovery, trust: data.get('trust') !== null });
    return 'signed-in';
  });
  return (
    <form className="space-y-4" onSubmit={form.onSubmit}>
      <p className="text-muted">
        {isRecovery
          ? t`Enter one of the recovery codes that you saved.`
          : t`Open your authenticator application and enter the code for ${siteName()}.`}
      </p>
      {form.error !== null && <ErrorNotice error={form.error} />}
      <TextField
        key={String(isRecovery)}
        label={isRecovery ? t`Recovery code` : t`Code`}
        name="code"
        autoFocus
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        autoCapitalize="none"
        spellCheck={false}
        required
        error={form.fieldError('code')}
      />
      <label className="flex items-center gap-2">
        <input type="checkbox" name="trust" className="size-4 accent-accent" />
        {t`Do not ask again in this browser for 30 days`}
      </label>
      <Button look="primary" type="submit" busy={form.busy} className="w-full">{t`Sign in`}</Button>
      <div className="flex flex-wrap justify-between gap-x-4 gap-y-2">
        <button type="button" className={TEXT_LINK} onClick={() => setIsRecovery(!isRecovery)}>
          {isRecovery ? t`Use your authenticator` : t`Use a recovery code`}
        </button>
        <button type="button" className={TEXT_LINK} onClick={onRestart}>{t`Start again`}</button>
      </div>
    </form>
  );
}

export function SignUpPage() {
  const mode = signUpMode();
  const { next, invitation } = getRouteApi('/sign-up').useSearch();
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null)
    return (
      <AuthCard title={t`Check your mail`} page={t`Sign up`}>
        <p role="status" className="[overflow-wrap:anywhere]">
          <Trans>
            We sent a message to <strong>{sentTo}</strong>. Open its link within a day to create your account.
          </Trans>
        </p>
        <SignInLink />
      </AuthCard>
    );
  return (
    <AuthCard title={mode === 'closed' ? t`Sign-up is closed` : t`Create your account`} page={t`Sign up`}>
      {mode === 'closed' ? (
        <p className="text-muted">{t`This server is not accepting new accounts. Ask an operator to create one for
          you.`}</p>
      ) : (
        <SignUpForm byInvitation={mode === 'invite'} onSent={setSentTo} />
      )}
      {(mode === 'open' || (mode === 'invite' && invitation)) && (
        <ProviderButtons next={next} {...(invitation ? { invitation } : {})} />
      )}
      <SignInLink />
    </AuthCard>
  );
}

function SignUpForm({ byInvitation, onSent }: { byInvitation: boolean; onSent: (email: string) => void }) {
  const { next, invitation = '', email: invited } = getRouteApi('/sign-up').useSearch();
  const form = useAuthForm(next, async (data) => {
    const email = text(data, 'email').trim();
    const outcome = await signUp({
      email,
      password: text(data, 'password'),
      username: text(data, 'username').trim(),
      invitation: text(data, 'invitation').trim(),
    });
    if (outcome === 'signed-in') return outcome;
    onSent(email);
    return 'more';
  });
  return (
    <form className="space-y-4" onSubmit={form.onSubmit}>
      {form.error !== null && <ErrorNotice error={form.error} />}
      {(byInvitation || invitation !== '') && (
        <TextField
          label={t`Invitation`}
          name="invitation"
          required={byInvitation}
          defaultValue={invitation}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="rgi_…"
          hint={invitation === '' && t`This server requires an invitation. Ask an operator for an invitation link.`}
          error={form.fieldError('invitation')}
        />
      )}
      <TextField
        label={t`Username`}
        name="username"
        autoComplete="username"
        required
        minLength={2}
        maxLength={39}
        pattern="[A-Za-z0-9_][A-Za-z0-9_.\-]*"
        title={t`Letters, digits, underscores, dots and hyphens; cannot start with a dot or hyphen`}
        autoCapitalize="none"
        spellCheck={false}
        hint={t`Also your channel handle. Use letters, digits, underscores, dots and hyphens.`}
        error={form.fieldError('username')}
      />
      <TextField
        label={t`Email`}
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={invited}
        required
        error={form.fieldError('email')}
      />
      <NewPasswordField label={t`Password`} name="password" error={form.fieldError('password')} />
      <Agreement />
      <Button look="primary" type="submit" busy={form.busy} className="w-full">{t`Create account`}</Button>
    </form>
  );
}

/** What someone who creates an account agrees to, where the server has such pages. */
function Agreement() {
  const [terms, privacy] = [termsUrl(), privacyUrl()];
  if (terms === null && privacy === null) return null;
  return (
    <p className="text-sm text-muted">
      {terms !== null && privacy !== null && (
        <Trans>
          By creating an account you agree to the <TabLink url={terms}>terms of service</TabLink> and the{' '}
          <TabLink url={privacy}>privacy policy</TabLink>.
        </Trans>
      )}
      {terms !== null && privacy === null && (
        <Trans>
          By creating an account you agree to the <TabLink url={terms}>terms of service</TabLink>.
        </Trans>
      )}
      {terms === null && privacy !== null && (
        <Trans>
          By creating an account you agree to the <TabLink url={privacy}>privacy policy</TabLink>.
        </Trans>
      )}
    </p>
  );
}

/** A link that opens a tab. */
function TabLink({ url, children }: { url: string; children: ReactNode }) {
  return (
    <a href={url} target="_blank" rel="noreferrer" className={TEXT_LINK}>
      {children}
    </a>
  );
}

function SignInLink() {
  const { next } = getRouteApi('/sign-up').useSearch();
  return (
    <p className="text-center text-muted">
      <Trans>
        Already have an account?{' '}
        <Link to="/sign-in" search={next ? { next } : {}} className={TEXT_LINK}>
          Sign in
        </Link>
      </Trans>
    </p>
  );
}
