import { networkInterfaces } from 'node:os';
import type { Config } from '../../../platform/config/config.ts';
import { hostInUrl } from '../../../platform/config/listen-hosts.ts';

const EVERYWHERE: readonly string[] = ['::', '0.0.0.0'];

/** Where other processes reach the HTTP server of this one. */
export function nodeAddress({
  NODE_URL,
  PORT,
  listenHosts,
}: Pick<Config, 'NODE_URL' | 'PORT' | 'listenHosts'>): string {
  if (NODE_URL !== undefined) return NODE_URL;
  const [host = '127.0.0.1'] = listenHosts;
  const named = EVERYWHERE.includes(host) ? (ownAddress() ?? '127.0.0.1') : host;
  return `http://${hostInUrl(named)}:${PORT}`;
}

/** The address of this machine in its network; null where it has none. */
function ownAddress(): string | null {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? null;
}
