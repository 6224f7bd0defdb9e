import { type Paths, pathParameter, REFUSED, responseHeaders, TEXT } from './openapi.ts';

const SCHEMA = {
  description: 'The schema, in the schema definition language.',
  headers: responseHeaders({
    'reelgraph-version': 'The version that it is the contract of.',
    etag: 'For If-None-Match.',
  }),
  content: { 'text/plain': { schema: TEXT } },
};

/** The contracts of the GraphQL API. */
export const SCHEMA_PATHS: Paths = {
  '/schema.graphql': {
    get: {
      operationId: 'schema',
      summary: 'The GraphQL schema of the current version',
      responses: { 200: SCHEMA },
    },
  },
  '/graphql/{version}/schema.graphql': {
    get: {
      operationId: 'schemaOfVersion',
      summary: 'The GraphQL schema of a version',
      parameters: [pathParameter('version', 'A dated version such as 2027-01, or preview.')],
      responses: { 200: SCHEMA, '4XX': REFUSED },
    },
  },
};
