import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../platform/config/listen-hosts.ts';
import type { Logger } from '../platform/log.ts';
import { clientAddressOf } from './request-context.ts';

/**
 * For servers with TRUST_PROXY=off: warns once when a proxy on this machine seems to be in front, whose clients would
 * share one address.
 */
export function proxyWarning(log: Pick<Logger, 'warn'>): (request: IncomingMessage) => void {
  let warned = false;
  return (request) => {
    if (warned || request.headers['x-forwarded-for'] === undefined || !isLoopback(clientAddressOf(request, false)))
      return;
    warned = true;
    log.warn(
      'a request came through a proxy on this machine while TRUST_PROXY is off: all its clients count as one ' +
        'address for the limits on guessing. Set TRUST_PROXY=on if the proxy writes X-Forwarded-For itself',
    );
  };
}
