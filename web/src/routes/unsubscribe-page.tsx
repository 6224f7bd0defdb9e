import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { AuthCard } from '../features/security/auth-card.tsx';
import { useAction } from '../lib/hooks/use-action.ts';
import { t } from '../lib/i18n.ts';
import { restRequest } from '../lib/session.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

/** Ends messages of one kind with the token behind # in the address, which is removed; no session is needed. */
export function UnsubscribePage() {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  const [isDone, setDone] = useState(false);
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  const action = useAction();
  const unsubscribe = (): void =>
    action.run('unsubscribe', async () => {
      await restRequest(`/api/notifications/unsubscribe?token=${encodeURIComponent(token)}`, {});
      setDone(true);
    });
  if (isDone) {
    return (
      <AuthCard title={t`You are unsubscribed`} page={t`Unsubscribe`}>
        <p role="status">{t`You get no more messages of this kind. Notifications in the application stay as they
          are.`}</p>
        <Settings />
      </AuthCard>
    );
  }
  return (
    <AuthCard title={t`Unsubscribe from these messages?`} page={t`Unsubscribe`}>
      {action.error !== null && <ErrorNotice error={action.error} />}
      <p>{t`Messages of this kind are no longer sent to you. You need not sign in.`}</p>
      <Button
        look="primary"
        className="w-full"
        busy={action.busy !== null}
        onClick={unsubscribe}
      >{t`Unsubscribe`}</Button>
      <Settings />
    </AuthCard>
  );
}

function Settings() {
  return (
    <p className="text-center">
      <Link
        to="/settings/account"
        hash="notifications"
        className="text-accent-text underline underline-offset-3"
      >{t`All notification settings`}</Link>
    </p>
  );
}
