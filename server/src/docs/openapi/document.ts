import type { GraphQLSchema } from 'graphql';
import { ERROR_CATALOGUE } from '../../kernel/errors.ts';
import { EVENT_TYPES } from '../../kernel/event-types.ts';
import { engagementPaths } from './engagement.ts';
import { MEDIA_PATHS } from './media.ts';
import { OAUTH_PATHS } from './oauth.ts';
import { headerParameter, type OpenApi, object, type PathItem, type Schema, TEXT } from './openapi.ts';
import { OPERATOR_PATHS } from './operators.ts';
import { PLAYBACK_PATHS } from './playback.ts';
import { SCHEMA_PATHS } from './schema.ts';
import { UPLOAD_PATHS } from './uploads.ts';

/** The REST endpoints and the webhooks in OpenAPI 3.1. GraphQL and MCP have introspection. */
export function openApiDocument({
  schema,
  baseUrl,
  version,
}: {
  schema: GraphQLSchema;
  baseUrl: string;
  version: string;
}): OpenApi {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Reelgraph REST API',
      version,
      description:
        'Uploads, media, playback, engagement, OAuth, probes and webhooks. Pages of any origin may call ' +
        'everything except the probes, the metrics and the authorization endpoint. Everything else is ' +
        `GraphQL at ${baseUrl}/graphql, documented at ${baseUrl}/docs/api; its dated versions do not apply here: ` +
        `${baseUrl}/docs/versions.`,
    },
    servers: [{ url: baseUrl }],
    security: [],
    paths: {
      ...UPLOAD_PATHS,
      ...MEDIA_PATHS,
      ...PLAYBACK_PATHS,
      ...engagementPaths(schema),
      ...OAUTH_PATHS,
      ...OPERATOR_PATHS,
      ...SCHEMA_PATHS,
    },
    webhooks: Object.fromEntries(Object.entries(EVENT_TYPES).map(([type, about]) => [type, webhook(type, about)])),
    components: {
      schemas: { Failure: FAILURE },
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'The API key from Developer Settings.' },
        application: {
          type: 'oauth2',
          description: 'An access token, in the same header.',
          flows: { authorizationCode: codeFlow(baseUrl) },
        },
      },
    },
  };
}

function codeFlow(baseUrl: string): object {
  const at = (name: string) => `${baseUrl}/api/auth/oauth2/${name}`;
  const scopes = {
    'mcp:tools': 'Act on behalf of the person, like an API key.',
    offline_access: 'Stay connected with a refresh token.',
  };
  return { authorizationUrl: at('authorize'), tokenUrl: at('token'), refreshUrl: at('token'), scopes };
}

const FAILURE: Schema = object({
  errors: {
    type: 'array',
    minItems: 1,
    items: object(
      {
        message: TEXT,
        code: { enum: Object.keys(ERROR_CATALOGUE) },
        errorType: TEXT,
        field: { type: 'string', description: 'The header or value that the error is about, if any.' },
        suggestedFix: TEXT,
        documentation: { type: 'string', format: 'uri' },
        retryable: { type: 'boolean', description: 'Whether the same request may succeed later.' },
      },
      ['message', 'code', 'errorType', 'suggestedFix', 'documentation', 'retryable'],
    ),
  },
  requestId: TEXT,
});

function webhook(type: string, about: string): PathItem {
  const body = object(
    {
      type: { const: type },
      timestamp: { type: 'string', format: 'date-time' },
      data: object({ id: TEXT, channel: TEXT, subject: { type: ['string', 'null'] }, payload: { type: 'object' } }),
      outOfOrder: {
        const: true,
        description: 'The message comes out of the order that the webhook keeps; absent otherwise.',
      },
    },
    ['type', 'timestamp', 'data'],
  );
  return {
    post: {
      operationId: type,
      summary: about,
      parameters: [
        headerParameter('webhook-id', 'Identifies the message: the same on every attempt.'),
        headerParameter('webhook-timestamp', 'Unix time of the attempt in seconds.'),
        headerParameter('webhook-signature', 'Signatures as in Standard Webhooks, separated by spaces.'),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
      responses: { '2XX': { description: 'Accepted. Everything else is retried for three days.' } },
    },
  };
}
