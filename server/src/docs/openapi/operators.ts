import { COUNT, json, object, type Paths, REFUSED, type Schema, TEXT } from './openapi.ts';

const READINESS: Schema = object({
  status: { enum: ['ready', 'unavailable', 'stopping'] },
  version: TEXT,
  checks: { type: 'object', additionalProperties: object({ ok: { type: 'boolean' }, ms: COUNT }) },
});

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
