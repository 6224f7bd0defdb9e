import type { IncomingMessage } from 'node:http';
import { HttpError } from '../../http/errors.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Throws 403 for requests that a page of another site could have caused by rebinding its name to our address: the Host
 * must be ours or the loopback's, and so must the Origin where there is one (MCP "Transports", section "Security
 * Warning").
 */
export function refuseForeignHost({ headers }: Pick<IncomingMessage, 'headers'>, baseUrl: string): void {
  const own = new URL(baseUrl).hostname;
  const isOurs = (hostname: string | null) => hostname !== null && (hostname === own || LOOPBACK.has(hostname));
  if (!isOurs(hostnameOf(`http://${headers.host ?? ''}`))) throw foreign('Host', headers.host, baseUrl);
  if (headers.origin !== undefined && !isOurs(hostnameOf(headers.origin)))
    throw foreign('Origin', headers.origin, baseUrl);
}

function hostnameOf(address: string): string | null {
  return URL.parse(address)?.hostname ?? null;
}

function foreign(header: string, value: string | undefined, baseUrl: string): HttpError {
  return new HttpError(
    403,
    'UNAUTHORIZED',
    `The ${header} ${JSON.stringify((value ?? '').slice(0, 100))} is not this platform's.`,
    {
      suggestedFix: `Connect to ${baseUrl}/mcp, from a program rather than from a page of another site.`,
    },
  );
}
