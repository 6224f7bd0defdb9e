import { join } from 'node:path';
import { CliError, EXIT } from './failures.ts';
import { configFolder, type Environment, readPrivate } from './folders.ts';

/** Where the platform is, who asks, and where that was found. */
export interface Account {
  /** Without a trailing slash. */
  readonly url: string;
  /** Null when there is none. */
  readonly key: string | null;
  readonly urlFrom: 'option' | 'environment' | 'login';
  readonly keyFrom: 'environment' | 'login' | null;
}

/** File that `reelgraph login` writes. */
export function configPath(env: Environment): string {
  return join(configFolder(env), 'config.json');
}

/** The address as it is compared: without `/graphql` and slashes at its end. Throws CliError when it is none. */
export function platformAddress(text: string): string {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol))
    throw new CliError(`${text} is not the address of a platform.`, 'Give it with https://, for example https://video.example.com.');
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, '').replace(/\/graphql$/, '');
}

/**
 * The account of this call: option before environment before login. The key of a login goes to the address it was made for and to no
 * other. Throws CliError when no address is known.
 */
export async function findAccount(env: Environment, urlOption: string | undefined): Promise<Account> {
  const stored = await readPrivate(configPath(env));
  const storedUrl = typeof stored?.url === 'string' ? stored.url : null;
  const given = urlOption ?? (env.REELGRAPH_URL || storedUrl);
  if (!given) {
    const fix = 'Run `reelgraph login`, or set REELGRAPH_URL and REELGRAPH_KEY.';
    throw new CliError('No platform is known yet.', fix, EXIT.notAuthorised);
  }
  const url = platformAddress(given);
  const urlFrom = urlOption !== undefined ? 'option' : env.REELGRAPH_URL ? 'environment' : 'login';
  if (env.REELGRAPH_KEY) return { url, key: env.REELGRAPH_KEY, urlFrom, keyFrom: 'environment' };
  const isOwnPlatform = storedUrl !== null && platformAddress(storedUrl) === url;
  if (isOwnPlatform && typeof stored?.key === 'string') return { url, key: stored.key, urlFrom, keyFrom: 'login' };
  return { url, key: null, urlFrom, keyFrom: null };
}
