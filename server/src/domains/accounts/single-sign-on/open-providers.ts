import type { Platform } from '../../../platform/platform.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { checkGroups, pauseUnconfirmed } from './check-groups.ts';
import { openProvider, type Provider } from './provider.ts';
import { openProviderFetch } from './provider-fetch.ts';

type Needs = Pick<Platform, 'config' | 'clock' | 'log' | 'db' | 'secrets'>;

/** Pauses between checks of groups. */
const CHECK_EVERY_MS = 5_000;

/** The page to which a provider sends browsers back. */
export function redirectUriOf(baseUrl: string, provider: string): string {
  return `${baseUrl}/sign-in/${provider}`;
}

/** The providers of the settings. Nothing is requested before the first use, so none of them delays the start. */
export function openProviders({ config, clock }: Pick<Needs, 'config' | 'clock'>): {
  readonly providers: readonly Provider[];
  close(): Promise<void>;
} {
  const { fetch, close } = openProviderFetch(config);
  const providers = config.oidcProviders.map((settings) =>
    openProvider(settings, { fetch, clock, redirectUri: redirectUriOf(config.BASE_URL, settings.name) }),
  );
  return { providers, close };
}

/** Worker: keeps what accounts have by their groups in step with the providers. */
export function watchGroups(platform: Needs, providers: readonly Provider[]): Repeated {
  const checks = repeat(platform.log, 'groups at providers were not checked, will be retried', CHECK_EVERY_MS, () =>
    checkGroups(platform, providers),
  );
  // Apart, because a provider that hangs delays checks.
  const pauses = repeat(
    platform.log,
    'operators whose groups are not confirmed keep the role, will be retried',
    CHECK_EVERY_MS,
    () => pauseUnconfirmed(platform),
  );
  return {
    start() {
      checks.start();
      pauses.start();
    },
    async stop() {
      await Promise.all([checks.stop(), pauses.stop()]);
    },
  };
}
