import type { GraphQLSchema } from 'graphql';
import { isInputType } from 'graphql';
import { inputSchema } from '../../mcp/registry/json-schema.ts';
import { COUNT, json, object, type Paths, REFUSED, type Schema, TEXT } from './openapi.ts';

const OUTCOME: Schema = object({
  tracked: { type: 'boolean', description: 'False for those who ask not to be tracked, and for robots: nothing is written.' },
  accepted: COUNT,
  refused: COUNT,
  results: {
    type: 'array',
    description: 'Those that were refused.',
    items: object({
      index: { ...COUNT, description: 'Place in the request.' },
      sessionId: { type: ['string', 'null'] },
      seq: { type: ['integer', 'null'] },
      ok: { const: false },
      error: object({ code: TEXT, message: TEXT, field: { type: ['string', 'null'] }, suggestedFix: TEXT }),
    }),
  },
});

/** What players report without a key. The events are those of the mutation trackEngagement, and described by the same schema. */
export function engagementPaths(schema: GraphQLSchema): Paths {
  const input = schema.getType('TrackEngagementInput');
  if (!isInputType(input)) throw new Error('The schema has no TrackEngagementInput.');
  const events: Schema = { ...inputSchema(input) };
  return {
    '/api/engagement': {
      post: {
        operationId: 'reportEngagement',
        summary: 'Report what a player plays, and which cards a page showed',
        description:
          'As navigator.sendBeacon sends it, from pages of any origin, 1 to 100 events in at most 64 KiB. A key or session, where there is one, says who watches.',
        requestBody: { required: true, content: { 'text/plain': { schema: events }, 'application/json': { schema: events } } },
        responses: { 202: json('Taken in, as far as each event is in order.', OUTCOME), '4XX': REFUSED },
      },
    },
  };
}
