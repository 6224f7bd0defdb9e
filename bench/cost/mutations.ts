import { randomUUID } from 'node:crypto';
import type { CostArguments } from './arguments.ts';
import type { CostCase } from './documents.ts';

const RESULTS = 'results { ok error { code } }';
const words = (count: number, seed: number) =>
  Array.from({ length: count }, (_, n) => `word${(seed * 31 + n * 7) % 997}`).join(' ');

/** Expensive mutations, whose changes do not affect the next run. */
export function mutationsFor({ own, content, channel }: CostArguments): CostCase[] {
  const id = own[0] ?? content;
  return [
    {
      field: 'mutation predictVirality',
      name: 'long texts',
      query:
        'mutation ($input: ViralityPredictionInput!) { predictVirality(input: $input) ' +
        '{ viralityScore recommendations { improvements { area } } } }',
      variables: (n) => ({ input: { title: words(24, n), description: words(600, n), channel } }),
    },
    {
      field: 'mutation updateContents',
      name: '100 titles',
      query: `mutation ($input: UpdateContentsInput!) { updateContents(input: $input) { ${RESULTS} } }`,
      variables: (n) => ({
        input: { items: own.map((item) => ({ id: item, changes: { title: words(20, n), summary: words(500, n) } })) },
      }),
    },
    {
      field: 'mutation updateContent',
      name: 'long texts',
      query: 'mutation ($id: DID!, $input: ContentInput!) { updateContent(id: $id, input: $input) { id } }',
      variables: (n) => ({
        id,
        input: { title: words(20, n), summary: words(500, n), keywords: words(20, n).split(' ') },
      }),
    },
    {
      field: 'mutation setContentChapters',
      name: '100 chapters',
      query:
        'mutation ($id: DID!, $input: SetContentChaptersInput!) { setContentChapters(id: $id, input: $input) ' +
        '{ content { id chapters { title } } } }',
      variables: (n) => ({
        id,
        input: {
          chapters: Array.from({ length: 100 }, (_, at) => ({ startMs: 10_000 * at, title: words(10, n + at) })),
        },
      }),
    },
    {
      field: 'mutation likeContent',
      name: 'again and again',
      query: 'mutation ($id: DID!) { likeContent(id: $id) { __typename } }',
      variables: () => ({ id: content }),
    },
    {
      field: 'mutation createComment',
      name: 'longest',
      query: 'mutation ($id: DID!, $body: String!) { createComment(contentId: $id, body: $body) { __typename } }',
      variables: (n) => ({ id, body: words(400, n) }),
    },
    {
      field: 'mutation trackEngagement',
      name: '100 events',
      query: `mutation ($input: TrackEngagementInput!) { trackEngagement(input: $input) { accepted ${RESULTS} } }`,
      variables: () => ({
        input: {
          events: Array.from({ length: 100 }, () => ({
            kind: 'START',
            contentId: content,
            sessionId: randomUUID(),
            seq: 0,
            occurredAt: new Date().toISOString(),
            positionMs: 0,
          })),
        },
      }),
    },
  ];
}
