import { COUNT, json, object, type Paths, REFUSED, type Schema, TEXT } from './openapi.ts';

const SANDBOX: Schema = {
  type: 'object',
  description: 'How media tools are isolated on this machine. All but `state` is told to the private network only, unless METRICS=public.',
  required: ['state'],
  properties: {
    state: {
      enum: ['complete', 'incomplete', 'refusing'],
      description: 'refusing: no media is processed, because SANDBOX=require asks for more than this machine allows.',
    },
    method: { enum: ['bubblewrap', 'unshare', 'partial'] },
    protections: { type: 'object', additionalProperties: { type: 'boolean' } },
    advice: { type: 'array', items: TEXT },
  },
};

const READINESS: Schema = object(
  {
    status: { enum: ['ready', 'unavailable', 'stopping'] },
    version: TEXT,
    checks: { type: 'object', additionalProperties: object({ ok: { type: 'boolean' }, ms: COUNT }) },
    sandbox: SANDBOX,
    workers: {
      type: 'array',
      description: 'Workers of all machines that ran within the last minute. For the private network only, unless METRICS=public.',
      items: object({ host: TEXT, sandbox: SANDBOX }),
    },
  },
  ['status', 'version', 'checks'],
);

/** For those who run it. */
export const OPERATOR_PATHS: Paths = {
  '/healthz': {
    get: {
      operationId: 'health',
      summary: 'Whether the process lives',
      responses: { 200: json('It does.', object({ status: { const: 'ok' }, version: TEXT, uptimeSeconds: COUNT })) },
    },
  },
  '/readyz': {
    get: {
      operationId: 'readiness',
      summary: 'Whether requests should be sent here',
      responses: { 200: json('They should.', READINESS), 503: json('Something it needs is missing, or it is stopping.', READINESS) },
    },
  },
  '/metrics': {
    get: {
      operationId: 'metrics',
      summary: 'Figures for Prometheus',
      description: 'For private networks, unless METRICS=public.',
      responses: { 200: { description: 'The figures.', content: { 'text/plain': { schema: TEXT } } }, '4XX': REFUSED },
    },
  },
};
