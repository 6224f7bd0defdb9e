/** Hosts with private addresses that the operator allows in FETCH_ALLOW. */
export type FetchAllow = (host: string, port: number) => boolean;

/** Reads `host` or `host:port`, comma separated; IPv6 addresses in brackets. Without a port, all ports are allowed. */
export function readFetchAllow(setting: string): FetchAllow {
  const entries = new Set(
    setting
      .split(',')
      .map((entry) => entry.trim().toLowerCase())
      .filter((entry) => entry !== ''),
  );
  return (host, port) => entries.has(host.toLowerCase()) || entries.has(`${host.toLowerCase()}:${port}`);
}
