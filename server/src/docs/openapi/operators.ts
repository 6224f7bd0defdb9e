import { COUNT, json, object, type Paths, REFUSED, type Schema, TEXT } from './openapi.ts';

const SANDBOX: Schema = {
  type: 'object',
  description:
    'How media tools are isolated on this machine. Everything except ' +
    '`state` is for private networks only, unless METRICS=public.',
  required: ['state'],
  properties: {
    state: {
      enum: ['complete', 'incomplete', 'refusing'],
      description: 'refusing: no media is processed, because this machine does not allow what SANDBOX=require needs.',
    },
    method: { enum: ['bubblewrap', 'unshare', 'partial'] },
    protections: { type: 'object', additionalProperties: { type: 'boolean' } },
    advice: { type: 'array', items: TEXT },
  },
};

const READINESS: Schema = object(
  {
    status: { enum: ['ready', 'degraded', 'unavailable', 'stopping'] },
    version: TEXT,
    checks: { type: 'object', additionalProperties: object({ ok: { type: 'boolean' }, ms: COUNT }) },
    sandbox: SANDBOX,
    workers: {
      type: 'array',
      description:
        'Workers of all machines that ran within the last minute. For private networks only, unless METRICS=public.',
      items: object({
        host: TEXT,
        sandbox: SANDBOX,
        running: {
          type: 'object',
          description: 'What it works on: kinds of work with their numbers.',
          additionalProperties: COUNT,
        },
        seenAt: TEXT,
      }),
    },
  },
  ['status', 'version', 'checks'],
);

/** For operators. */
export const OPERATOR_PATHS: Paths = {
  '/healthz': {
    get: {
      operationId: 'health',
      summary: 'Liveness probe',
      responses: {
        200: json('The process is alive.', object({ status: { const: 'ok' }, version: TEXT, uptimeSeconds: COUNT })),
      },
    },
  },
  '/readyz': {
    get: {
      operationId: 'readiness',
      summary: 'Readiness probe',
      responses: {
        200: json('Ready for requests; degraded: a check says what does not work.', READINESS),
        503: json('Requests cannot be answered, or the process is stopping.', READINESS),
      },
    },
  },
  '/metrics': {
    get: {
      operationId: 'metrics',
      summary: 'Metrics for Prometheus',
      description: 'For private networks, unless METRICS=public.',
      responses: { 200: { description: 'The metrics.', content: { 'text/plain': { schema: TEXT } } }, '4XX': REFUSED },
    },
  },
};
