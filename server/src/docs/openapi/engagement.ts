import { type GraphQLSchema, isInputType } from 'graphql';
import { inputSchema } from '../../mcp/registry/json-schema.ts';
import { COUNT, json, object, type Paths, REFUSED, type Schema, TEXT } from './openapi.ts';

const OUTCOME: Schema = object({
  tracked: {
    type: 'boolean',
    description: 'False for people who opt out of tracking, and for robots: nothing is stored.',
  },
  accepted: COUNT,
  refused: COUNT,
  results: {
    type: 'array',
    description: 'The refused events.',
    items: object({
      index: { ...COUNT, description: 'Index in the request.' },
      sessionId: { type: ['string', 'null'] },
      seq: { type: ['integer', 'null'] },
      ok: { const: false },
      error: object({ code: TEXT, message: TEXT, field: { type: ['string', 'null'] }, suggestedFix: TEXT }),
    }),
  },
});

/** Playback events without a key. The events are those of the mutation trackEngagement, with the same schema. */
export function engagementPaths(schema: GraphQLSchema): Paths {
  const input = schema.getType('TrackEngagementInput');
  if (!isInputType(input)) throw new Error('The schema has no TrackEngagementInput.');
  const events: Schema = { ...inputSchema(input) };
  return {
    '/api/engagement': {
      post: {
        operationId: 'reportEngagement',
        summary: 'Report playback, impressions and clicks',
        description:
          'Accepts navigator.sendBeacon, from pages of any origin, with 1 to 100 events in at ' +
          'most 64 KiB. A key or session, if present, identifies the viewer.',
        requestBody: {
          required: true,
          content: { 'text/plain': { schema: events }, 'application/json': { schema: events } },
        },
        responses: { 202: json('Accepted, except the listed errors.', OUTCOME), '4XX': REFUSED },
      },
    },
  };
}
