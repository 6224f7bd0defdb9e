import { COUNT, json, object, type Paths, REFUSED, type Schema, TEXT } from './openapi.ts';

const METADATA: Schema = object({
  resource: TEXT,
  resource_documentation: TEXT,
  bearer_methods_supported: { type: 'array', items: TEXT },
  scopes_supported: { type: 'array', items: TEXT },
});
const READINESS: Schema = object({
  status: { enum: ['ready', 'unavailable', 'stopping'] },
  version: TEXT,
  checks: { type: 'object', additionalProperties: object({ ok: { type: 'boolean' }, ms: COUNT }) },
});

const metadata = (operationId: string) => ({
  get: { operationId, summary: 'What OAuth clients of /mcp need (RFC 9728)', responses: { 200: json('The metadata.', METADATA) } },
});

/** For those who run it, and for clients that ask how to come in. */
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
  '/.well-known/oauth-protected-resource': metadata('resourceMetadata'),
  '/.well-known/oauth-protected-resource/mcp': metadata('resourceMetadataOfMcp'),
};
