import type { IncomingMessage } from 'node:http';
import type { Logger } from '../../platform/log.ts';
import type { Exchange } from '../request-context.ts';

/** Probes come every few seconds and carry no information. */
const QUIET: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Writes one line for a response that is complete or was aborted (status 499). */
export type AccessLog = (request: IncomingMessage, exchange: Exchange, status: number, ms: number) => void;

/**
 * The access log. None of its fields can hold a secret, so the redaction of other lines is skipped: it costs ten times
 * as much as the line.
 */
export function createAccessLog(log: Logger): AccessLog {
  const lines = log.child({}, { redact: [] });
  return (request, exchange, status, ms) => {
    const level = QUIET.has(exchange.route) && status < 400 ? 'debug' : 'info';
    if (!lines.isLevelEnabled(level)) return;
    lines[level](
      {
        requestId: exchange.requestId,
        method: request.method,
        route: exchange.route,
        path: loggablePath(exchange.path),
        status,
        ms: Math.round(ms * 100) / 100,
        client: exchange.clientAddress,
        operation: exchange.operation,
      },
      'request',
    );
  };
}

const MAX_PATH = 512;
const UUID_AND_SECRET = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-.+$/;
const SECRET = /^(?:\d+\.[\w-]{16,}|(?=.*\d)[\w-]{40,}|.*rg[ort]?_\w.*)$/;
/** Shorter paths cannot contain a secret. */
const HARMLESS_LENGTH = 20;

/** A path for the log: upload and playback addresses have a secret in a segment, which is removed. */
export function loggablePath(path: string): string {
  if (path.length <= HARMLESS_LENGTH) return path;
  return path
    .slice(0, MAX_PATH)
    .split('/')
    .map((segment) => segment.replace(UUID_AND_SECRET, '$1-…').replace(SECRET, '…'))
    .join('/');
}
