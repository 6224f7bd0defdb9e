import type { AccountId } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Attempts } from '../attempts/attempts.ts';
import { accountOfIdentity, type SignInContext } from './account-of-identity.ts';
import { applyGroups } from './apply-groups.ts';
import { sealTokens } from './check-groups.ts';
import { givenBy, hasRules } from './group.policy.ts';
import { insertOidcSession } from './oidc-sessions.store.ts';
import type { Provider, ProviderSignIn } from './provider.ts';

type Needs = Pick<Platform, 'config' | 'db' | 'clock' | 'secrets' | 'log'>;

export interface SignInTools {
  readonly platform: Needs;
  readonly attempts: Attempts;
  /** Begins a session of the account; the response has its cookie. Throws AppError when none may begin. */
  readonly startSession: (accountId: AccountId) => Promise<{ readonly response: Response; readonly token: string }>;
}

/**
 * Signs in the person whom a provider has identified, and applies the groups. Throws AppError like `accountOfIdentity`.
 */
export async function signInByProvider(
  { platform, attempts, startSession }: SignInTools,
  provider: Provider,
  { identity, tokens, providerSession }: ProviderSignIn,
  context: Omit<SignInContext, 'label'>,
): Promise<{ readonly accountId: AccountId; readonly response: Response }> {
  const { settings, issuer } = provider;
  const accountId = await accountOfIdentity(platform, attempts, identity, { ...context, label: settings.LABEL });
  const { response, token } = await startSession(accountId);
  await insertOidcSession(platform.db, {
    ...{ sessionToken: token, issuer, subject: identity.subject, providerSession },
    sealedTokens: sealTokens(platform, tokens),
    nowIso: new Date(platform.clock.now()).toISOString(),
  });
  if (hasRules(settings)) await applyGroups(platform, accountId, issuer, givenBy(settings, identity.groups));
  return { accountId, response };
}
