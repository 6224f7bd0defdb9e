import { join } from 'node:path';
import { CliError, EXIT } from './errors.ts';
import { configFolder, type Environment, readPrivate } from './folders.ts';

/** Address and key of the platform, and their source. */
export interface Account {
  /** Without a trailing slash. */
  readonly url: string;
  /** Null without one. */
  readonly key: string | null;
  readonly urlFrom: 'option' | 'environment' | 'login';
  readonly keyFrom: 'environment' | 'login' | null;
}

/** File that `reelgraph login` writes. */
export function configPath(env: Environment): string {
  return join(configFolder(env), 'config.json');
}

/** The address in normal form: without a trailing `/graphql` or slashes. Throws CliError for an invalid one. */
export function platformAddress(text: string): string {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol))
    throw new CliError(`${text} is not a valid address.`, 'Use the form https://video.example.com.');
  return `${parsed.origin}${parsed.pathname}`.replace(/(?<!\/)\/+$/, '').replace(/\/graphql$/, '');
}

/**
 * The account to use: option before environment before login. The key of a login is only sent to the address of that
 * login. Throws CliError without an address.
 */
export async function findAccount(env: Environment, urlOption: string | undefined): Promise<Account> {
  const stored = await readPrivate(configPath(env));
  const storedUrl = typeof stored?.url === 'string' ? stored.url : null;
  const given = urlOption ?? (env.REELGRAPH_URL || storedUrl);
  if (!given) {
    const fix = 'Run `reelgraph login`, or set REELGRAPH_URL and REELGRAPH_KEY.';
    throw new CliError('No platform is configured.', fix, EXIT.unauthorized);
  }
  const url = platformAddress(given);
  const urlFrom = urlOption !== undefined ? 'option' : env.REELGRAPH_URL ? 'environment' : 'login';
  if (env.REELGRAPH_KEY) return { url, key: env.REELGRAPH_KEY, urlFrom, keyFrom: 'environment' };
  const isOwnPlatform = storedUrl !== null && platformAddress(storedUrl) === url;
  if (isOwnPlatform && typeof stored?.key === 'string') return { url, key: stored.key, urlFrom, keyFrom: 'login' };
  return { url, key: null, urlFrom, keyFrom: null };
}
