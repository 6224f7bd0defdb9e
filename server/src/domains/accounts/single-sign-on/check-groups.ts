import { z } from 'zod';
import type { Platform } from '../../../platform/platform.ts';
import { applyGroups } from './apply-groups.ts';
import { listUnconfirmedOperators } from './grants.store.ts';
import { givenBy, hasRules } from './group.policy.ts';
import { claimDueSessions, type DueSession, endOidcSession, keepTokens } from './oidc-sessions.store.ts';
import type { Provider, ProviderTokens } from './provider.ts';

type Needs = Pick<Platform, 'db' | 'clock' | 'log' | 'secrets'>;

/** How old a check is when the next one begins. */
const CHECK_MS = 15_000;
/** The operator role by a group is taken when it was not confirmed for so long. */
const UNCONFIRMED_MS = 45_000;
const AT_ONCE = 8;

const Tokens = z.object({
  accessToken: z.string(),
  accessEndsAtMs: z.number().nullable(),
  refreshToken: z.string().nullable(),
});

export function sealTokens({ secrets }: Pick<Needs, 'secrets'>, tokens: ProviderTokens): Buffer {
  return secrets.seal('oidc-tokens', JSON.stringify(tokens));
}

/**
 * Asks the providers for the groups of accounts that have something by them, and applies what they say. A session whose
 * tokens the provider refuses ends. A provider that does not respond changes nothing here; see `pauseUnconfirmed`.
 * @returns Whether there may be more to check now.
 */
export async function checkGroups(platform: Needs, providers: readonly Provider[]): Promise<boolean> {
  const ruled = providers.filter(({ settings }) => hasRules(settings));
  if (ruled.length === 0) return false;
  const nowMs = platform.clock.now();
  const due = await claimDueSessions(platform.db, {
    nowIso: new Date(nowMs).toISOString(),
    checkedBeforeIso: new Date(nowMs - CHECK_MS).toISOString(),
    issuers: ruled.map(({ issuer }) => issuer),
    most: AT_ONCE,
  });
  await Promise.all(
    due.map(async (session) => {
      const provider = ruled.find((each) => each.issuer === session.issuer);
      if (provider) await check(platform, provider, session);
    }),
  );
  return due.length === AT_ONCE;
}

async function check(platform: Needs, provider: Provider, session: DueSession): Promise<void> {
  const { accountId, issuer, sessionId, subject } = session;
  try {
    const tokens = Tokens.parse(JSON.parse(platform.secrets.open('oidc-tokens', session.sealedTokens)));
    const found = await provider.groups(tokens, subject);
    if (found.kind === 'refused') return await endOidcSession(platform.db, sessionId);
    if (found.kind === 'unknown') return;
    if (found.tokens !== tokens) await keepTokens(platform.db, sessionId, sealTokens(platform, found.tokens));
    await applyGroups(platform, accountId, issuer, givenBy(provider.settings, found.groups));
  } catch (error) {
    platform.log.warn({ error, accountId, issuer }, 'The groups of an account could not be read; will be retried.');
  }
}

/**
 * Takes the operator role from accounts whose provider has not confirmed their groups for a while: it does not respond,
 * no worker asked it, or the account has signed out. The role returns with the next confirmation.
 */
export async function pauseUnconfirmed(platform: Needs): Promise<boolean> {
  const before = new Date(platform.clock.now() - UNCONFIRMED_MS).toISOString();
  const unconfirmed = await listUnconfirmedOperators(platform.db, before);
  for (const { accountId, issuer, plan } of unconfirmed)
    await applyGroups(platform, accountId, issuer, { isOperator: true, plan }, { paused: true });
  return false;
}
