import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { countStorageFailures } from './log-repeats.ts';

export type { Logger } from 'pino';

/** Fields that may hold a secret, at any depth; their values are never logged. */
const SECRET_PATHS = [
  'authorization',
  'cookie',
  'password',
  'key',
  'apiKey',
  'token',
  'secret',
  'endpoint',
  'headers.authorization',
  'headers.cookie',
];

/**
 * Structured log: one JSON object a line, with secrets replaced and errors with their causes. Storage-full messages are
 * logged once a minute.
 */
export function createLogger(options: { level: string; destination?: DestinationStream }): Logger {
  const settings = {
    level: options.level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: [...SECRET_PATHS, ...SECRET_PATHS.map((path) => `*.${path}`)], censor: '[redacted]' },
    serializers: { error: describeError },
    hooks: { logMethod: countStorageFailures() },
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}

/** Type, message, stack and causes. The connection pool attaches the lost connection to its errors: that is omitted. */
function describeError(error: unknown): unknown {
  // The serializer returns non-errors unchanged.
  const described: unknown = stdSerializers.errWithCause(error as Error);
  if (error instanceof Error && typeof described === 'object' && described !== null && 'client' in described)
    delete described.client;
  return described;
}
