import { isIPv4 } from 'node:net';
import type { Config } from '../../../platform/config/config.ts';
import { EVERYWHERE, hostInUrl, ownAddresses } from '../../../platform/config/listen-hosts.ts';

/** Where other processes reach the HTTP server of this one. */
export function nodeAddress({
  NODE_URL,
  PORT,
  listenHosts,
}: Pick<Config, 'NODE_URL' | 'PORT' | 'listenHosts'>): string {
  if (NODE_URL !== undefined) return NODE_URL;
  const [host = '127.0.0.1'] = listenHosts;
  const named = EVERYWHERE.includes(host) ? (ownAddresses().find(isIPv4) ?? '127.0.0.1') : host;
  return `http://${hostInUrl(named)}:${PORT}`;
}
