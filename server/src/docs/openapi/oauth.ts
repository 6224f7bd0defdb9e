import { COUNT, json, object, type Paths, queryParameter, responseHeaders, type Schema, TEXT } from './openapi.ts';

const TEXTS: Schema = { type: 'array', items: TEXT };
const SCOPE: Schema = { type: 'string', description: 'Separated by spaces: mcp:tools, offline_access.' };

const REFUSED = json(
  'Refused, with an OAuth error (RFC 6749 section 5.2, RFC 7591 section 3.2.2).',
  object({ error: TEXT, error_description: TEXT }, ['error']),
);

const RESOURCE: Schema = object({
  resource: TEXT,
  resource_name: TEXT,
  authorization_servers: TEXTS,
  bearer_methods_supported: TEXTS,
  scopes_supported: TEXTS,
  resource_documentation: TEXT,
});

const SERVER: Schema = object({
  issuer: TEXT,
  authorization_endpoint: TEXT,
  token_endpoint: TEXT,
  registration_endpoint: TEXT,
  revocation_endpoint: TEXT,
  scopes_supported: TEXTS,
  response_types_supported: TEXTS,
  response_modes_supported: TEXTS,
  grant_types_supported: TEXTS,
  code_challenge_methods_supported: TEXTS,
  authorization_response_iss_parameter_supported: { const: true },
  client_id_metadata_document_supported: { const: true },
  token_endpoint_auth_methods_supported: TEXTS,
  revocation_endpoint_auth_methods_supported: TEXTS,
});

const CLIENT: Readonly<Record<string, Schema>> = {
  redirect_uris: { ...TEXTS, minItems: 1, maxItems: 10 },
  client_name: { type: 'string', description: 'Name on the consent page; the first 100 characters.' },
  client_uri: TEXT,
  token_endpoint_auth_method: { enum: ['none', 'client_secret_basic', 'client_secret_post'] },
  application_type: { enum: ['web', 'native'] },
};

const TOKENS: Schema = object(
  {
    access_token: { type: 'string', description: 'For /mcp, /graphql and uploads, in the Authorization header.' },
    token_type: { const: 'Bearer' },
    expires_in: { ...COUNT, description: 'Seconds.' },
    scope: SCOPE,
    refresh_token: { type: 'string', description: 'With the scope offline_access; valid once.' },
  },
  ['access_token', 'token_type', 'expires_in', 'scope'],
);

const CLIENT_PROOF = {
  client_id: TEXT,
  client_secret: { type: 'string', description: 'For confidential clients; here or by HTTP Basic.' },
};
const CODE_FORM: Schema = object(
  {
    grant_type: { const: 'authorization_code' },
    code: TEXT,
    redirect_uri: TEXT,
    code_verifier: TEXT,
    resource: TEXT,
    ...CLIENT_PROOF,
  },
  ['grant_type', 'code', 'redirect_uri', 'code_verifier'],
);
const REFRESH_FORM: Schema = object({ grant_type: { const: 'refresh_token' }, refresh_token: TEXT, ...CLIENT_PROOF }, [
  'grant_type',
  'refresh_token',
]);

const form = (schema: Schema) => ({ required: true, content: { 'application/x-www-form-urlencoded': { schema } } });

const metadata = (operationId: string, summary: string, schema: Schema) => ({
  get: { operationId, summary, responses: { 200: json('The metadata.', schema) } },
});
const ofResource = 'Protected resource metadata of /mcp (RFC 9728)';
const ofServer = 'Authorization server metadata (RFC 8414)';

/** Access tokens for applications without a key (OAuth 2.1: authorization code with PKCE). */
export const OAUTH_PATHS: Paths = {
  '/.well-known/oauth-protected-resource': metadata('resourceMetadata', ofResource, RESOURCE),
  '/.well-known/oauth-protected-resource/mcp': metadata('resourceMetadataOfMcp', ofResource, RESOURCE),
  '/.well-known/oauth-authorization-server': metadata('serverMetadata', ofServer, SERVER),
  '/.well-known/oauth-authorization-server/api/auth': metadata('serverMetadataOfIssuer', ofServer, SERVER),
  '/api/auth/.well-known/oauth-authorization-server': metadata('serverMetadataBelowIssuer', ofServer, SERVER),
  '/api/auth/oauth2/register': {
    post: {
      operationId: 'registerApplication',
      summary: 'Register an application (RFC 7591)',
      requestBody: { required: true, content: { 'application/json': { schema: object(CLIENT, ['redirect_uris']) } } },
      responses: {
        201: json(
          'Registered. It is deleted after 30 days without a connection.',
          object(
            {
              client_id: TEXT,
              client_secret: TEXT,
              client_id_issued_at: COUNT,
              scope: SCOPE,
              grant_types: TEXTS,
              response_types: TEXTS,
              ...CLIENT,
            },
            [
              'client_id',
              'client_name',
              'redirect_uris',
              'token_endpoint_auth_method',
              'grant_types',
              'response_types',
              'scope',
            ],
          ),
        ),
        '4XX': REFUSED,
      },
    },
  },
  '/api/auth/oauth2/authorize': {
    get: {
      operationId: 'authorize',
      summary: 'Request an authorization code',
      description: 'Opened in the browser of the person, who must consent every time; not called by programs.',
      parameters: [
        queryParameter('response_type', 'The response type.', true, { const: 'code' }),
        queryParameter(
          'client_id',
          'The id from the registration, or the https address of a client ID metadata document.',
          true,
        ),
        queryParameter(
          'redirect_uri',
          'Exactly one of those registered; the port of a loopback address may differ.',
          true,
        ),
        queryParameter('scope', 'mcp:tools, and offline_access for a refresh token.', false, SCOPE),
        queryParameter('state', 'Returned unchanged.', false),
        queryParameter('code_challenge', 'Digest of the code_verifier (RFC 7636).', true),
        queryParameter('code_challenge_method', 'The digest method.', true, { const: 'S256' }),
        queryParameter('resource', 'Address of /mcp; no other resource is supported (RFC 8707).', false),
      ],
      responses: {
        302: {
          description:
            'To the consent page, or back to the application with the ' +
            'error. Errors that cannot be returned are shown to the person.',
          headers: responseHeaders({ location: 'Where the browser goes.' }),
        },
      },
    },
  },
  '/api/auth/oauth2/token': {
    post: {
      operationId: 'exchangeToken',
      summary: 'Exchange a code or a refresh token for tokens',
      requestBody: form({ oneOf: [CODE_FORM, REFRESH_FORM] }),
      responses: { 200: json('The tokens. A used refresh token is no longer valid.', TOKENS), '4XX': REFUSED },
    },
  },
  '/api/auth/oauth2/revoke': {
    post: {
      operationId: 'revokeToken',
      summary: 'Revoke a token (RFC 7009)',
      description:
        'Revoking a refresh token ends the connection and its access token; revoking an access token ends only itself.',
      requestBody: form(object({ token: TEXT, token_type_hint: TEXT, ...CLIENT_PROOF }, ['token'])),
      responses: { 200: json('The token is not valid, or never was.', { type: 'object' }), '4XX': REFUSED },
    },
  },
};
