import type { AccountId } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type LinkedIdentity, listIdentities } from './oidc-identities.store.ts';
import type { Provider } from './provider.ts';

/** The identities with which an account signs in, with the name of a provider that is not in the settings as null. */
export async function linkedIdentities(
  { db }: Pick<Platform, 'db'>,
  providers: readonly Provider[],
  accountId: AccountId,
): Promise<(LinkedIdentity & { readonly provider: string | null })[]> {
  const names = new Map(providers.map(({ issuer, settings }) => [issuer, settings.name]));
  const identities = await listIdentities(db, accountId);
  return identities.map((identity) => ({ ...identity, provider: names.get(identity.issuer) ?? null }));
}
