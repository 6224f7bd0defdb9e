import { ANONYMOUS_SCOPE, makeViewer, type ViewerScope } from '../gql/index.ts';

/** The scope of an account with a session, for tests of what takes one; without an account that of the public. */
export function scopeOf(accountId: string | null | undefined): ViewerScope {
  if (accountId == null) return ANONYMOUS_SCOPE;
  const { scope } = makeViewer({
    ...{ accountId, channelId: accountId, username: 'somebody', plan: 'FREE', state: 'ACTIVE' },
    ...{ accessUntilMs: Number.POSITIVE_INFINITY, isOperator: false, credential: 'session' },
  });
  return scope;
}
