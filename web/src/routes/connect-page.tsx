import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  type ConnectDetails,
  type ConnectRequest,
  hostOfDocument,
  respondToRequest,
} from '../features/connect/connections.ts';
import { signOut } from '../lib/account.ts';
import { useAction } from '../lib/hooks/use-action.ts';
import { Trans, t } from '../lib/i18n.ts';
import { siteName } from '../lib/site.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icons.tsx';
import { Logo } from '../ui/logo.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

const route = getRouteApi('/connect');
const LINK = 'font-semibold text-accent-text underline underline-offset-3';

/** OAuth consent: asks whether an application may act for the account, and lists what it would be allowed to do. */
export function ConnectPage() {
  const authorization = route.useLoaderData();
  return (
    <div className="mx-auto mt-2 max-w-2xl space-y-6 card p-5 sm:mt-8 sm:p-8">
      <title>{`${t`Connect an application`} · ${siteName()}`}</title>
      <Logo className="size-10" />
      {authorization ? <ConsentForm {...authorization} /> : <InvalidRequest />}
    </div>
  );
}

function ConsentForm({ request, offer }: { readonly request: ConnectRequest; readonly offer: ConnectDetails }) {
  const { application, access, permissions } = offer;
  const host = hostOfDocument(application.clientId);
  const action = useAction();
  const respond = (accept: boolean) =>
    action.run(accept ? 'allow' : 'deny', async () => {
      location.assign(await respondToRequest(request, accept));
      await new Promise(() => {}); // the browser leaves the page
    });
  return (
    <>
      <div className="space-y-2">
        <h1 className="text-2xl font-bold [overflow-wrap:anywhere]">{t`Connect “${application.name}”?`}</h1>
        <p className="flex gap-2 text-sm text-muted">
          <Icon name="warning" className="mt-0.5 size-4 shrink-0" />
          <span>{t`The application chose this name, and it is not verified. Continue only if you started this
            request.`}</span>
        </p>
      </div>
      <dl className="space-y-3 rounded-xl border border-line bg-ink p-4 text-[0.95rem]">
        <Detail name={t`Your account`}>
          {offer.username} <SwitchAccount signed={request.signed} />
        </Detail>
        {host && (
          <Detail name={t`Published by`}>
            <strong className="[overflow-wrap:anywhere]">{host}</strong>
          </Detail>
        )}
        <Detail name={t`Redirects to`}>
          <strong className="[overflow-wrap:anywhere]">{request.redirectTarget}</strong>{' '}
          {request.isOnThisDevice && <span className="text-muted">{t`(an application on this device)`}</span>}
        </Detail>
      </dl>
      {!access.eligible && (
        <p role="alert" className="rounded-xl border border-danger/45 p-4">
          {access.reason}{' '}
          <Trans>
            You can connect applications once developer access is active. Open{' '}
            <Link to="/settings/developer" className={LINK}>
              Developer Settings
            </Link>
            , then try again from the application.
          </Trans>
        </p>
      )}
      <section aria-labelledby="may" className="space-y-2">
        <h2 id="may" className="font-semibold">{t`It will have the same access as your API key:`}</h2>
        <ul className="gap-x-6 rounded-xl border border-line px-4 py-3 text-sm sm:columns-2">
          {permissions.map(({ name, allows }) => (
            <li key={name} className="flex break-inside-avoid gap-2 py-1">
              <Icon name="check" className="mt-0.5 size-4 shrink-0 text-sea" />
              {allows}
            </li>
          ))}
        </ul>
        <p className="text-sm text-muted">
          {request.isPersistent
            ? t`Access lasts until you disconnect it in Developer Settings.`
            : t`Access expires after one hour.`}{' '}
          {t`The application never sees your password or API key.`}
        </p>
      </section>
      {action.error !== null && <ErrorNotice error={action.error} />}
      <div
        className={
          'sticky bottom-0 -mx-5 -mb-5 flex justify-end gap-3 rounded-b-2xl border-t ' +
          'border-line bg-surface p-4 max-sm:*:grow sm:-mx-8 sm:-mb-8 sm:px-8'
        }
      >
        <Button busy={action.busy === 'deny'} onClick={() => respond(false)}>{t`Deny`}</Button>
        <Button
          look="primary"
          busy={action.busy === 'allow'}
          disabled={!access.eligible}
          onClick={() => respond(true)}
        >{t`Allow`}</Button>
      </div>
    </>
  );
}

function Detail({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Signs out and returns to the consent page with another account. */
function SwitchAccount({ signed }: { readonly signed: string }) {
  const router = useRouter();
  const leave = async (): Promise<void> => {
    await signOut();
    await router.navigate({ to: '/sign-in', search: { next: `/connect?${new URLSearchParams({ request: signed })}` } });
  };
  return (
    <button
      type="button"
      className={`${LINK} ms-1 text-sm`}
      onClick={() => void leave()}
    >{t`Use a different account`}</button>
  );
}

function InvalidRequest() {
  const { error, error_description: reason } = route.useSearch();
  const isRedirect = error === 'invalid_redirect';
  return (
    <div className="space-y-3">
      <h1 className="text-2xl font-bold">{t`This application cannot be connected`}</h1>
      <p className="text-muted">
        {isRedirect
          ? t`It asked to redirect you to an address it did not register. This can be an attempt to steal your access,
              so the request was stopped.`
          : t`The request is incomplete, has expired, or comes from an application this server does not know.`}{' '}
        {t`Try again from the application. If that does not help, remove this server there and add it again.`}
      </p>
      {error && (
        <p className="font-mono text-sm text-muted [overflow-wrap:anywhere]">
          {error}
          {reason && `: ${reason}`}
        </p>
      )}
      <Link to="/" className={LINK}>{t`Go to the home page`}</Link>
    </div>
  );
}
