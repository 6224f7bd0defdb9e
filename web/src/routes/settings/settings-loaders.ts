import { redirect } from '@tanstack/react-router';
import { browserSessions, passkeys } from '../../features/security/security-api.ts';
import { linkedIdentities } from '../../features/security/sign-in-providers.ts';
import { readSetup } from '../../features/youtube/setup.ts';
import { AccountSettings, NotificationSettings, YouTubeConnection } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { currentUser } from '../../lib/session.ts';

/** What the pages of settings load; loaded with the first of them. */

export async function account() {
  const [{ me }, connection, setup, settings] = await Promise.all([
    api(AccountSettings),
    api(YouTubeConnection),
    readSetup(),
    api(NotificationSettings),
  ]);
  return { me, youtube: connection.me.youtube, setup, notifications: settings.me.notificationSettings };
}

export async function security() {
  const [user, sessions, keys, identities] = await Promise.all([
    currentUser(),
    browserSessions(),
    passkeys(),
    linkedIdentities(),
  ]);
  if (!user) throw redirect({ to: '/sign-in', search: { next: '/settings/security' } });
  return { user, sessions, passkeys: keys, identities };
}

export { readConnectDetails, readConnectRequest } from '../../features/connect/connections.ts';
