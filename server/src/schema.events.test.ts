import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventExamples } from './domains/integrations/index.ts';
import { EVENT_TYPES, type EventType, eventTypeName } from './kernel/event-types.ts';
import { platformSchema } from './schema.ts';
import { smallestSelection } from './testing/example-documents.ts';
import { openSeededPlatform, type SeededPlatform } from './testing/seed-platform.ts';

const TYPES = new Map(Object.keys(EVENT_TYPES).map((type) => [eventTypeName(type), type as EventType])); // its keys

interface LoggedEvent {
  readonly type: EventType;
  readonly subject: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Optional parts of payloads, in addition to the example. */
const AT_TIMES: Readonly<Partial<Record<EventType, readonly string[]>>> = {
  'playlist.updated': ['moved', 'removed'],
  'upload.finished': ['imageAsset'],
};
const EVENTS = `query ($after: String) { events(first: 100, after: $after) {
  edges { node { type subject payload } } pageInfo { hasNextPage endCursor } } }`;

let fixture: SeededPlatform;
before(async () => {
  fixture = await openSeededPlatform();
});
after(() => fixture?.close());

test('events match their examples after one call of every mutation', async () => {
  const fields = Object.values(platformSchema().getMutationType()?.getFields() ?? {});
  for (const field of fields) {
    const given = await fixture.mutation(field.name, 'owner');
    await fixture.run(
      fixture.people.owner,
      `mutation { ${field.name}${given ? `(${given})` : ''}${smallestSelection(field.type)} }`,
    );
  }
  const examples = eventExamples();
  const logged = await readLog();
  const types = new Set(logged.map(({ type }) => type));
  assert.ok(types.size >= 20, `only these happened: ${[...types].join(', ')}`);
  for (const { type, subject, payload } of logged) {
    const example = examples[type];
    assert.equal(
      kindOf(subject).replace(/^content\/.*/, 'content'),
      kindOf(example.subject).replace(/^content\/.*/, 'content'),
      type,
    );
    const known = [...Object.keys(example.payload), ...(AT_TIMES[type] ?? [])];
    assert.deepEqual(
      Object.keys(payload).filter((name) => !known.includes(name)),
      [],
      type,
    );
    assert.doesNotMatch(
      JSON.stringify(payload),
      /"[0-9a-f]{8}-[0-9a-f-]{27}"/,
      `${type} names something without its kind`,
    );
  }
});

const kindOf = (did: string): string => did.split(':')[2]?.replace(/\/[^/]*$/, '') ?? '';

async function readLog(): Promise<LoggedEvent[]> {
  const found: LoggedEvent[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const { data } = await fixture.run(fixture.people.owner, EVENTS, { after });
    const { edges, pageInfo } = (
      data as {
        events: {
          edges: { node: LoggedEvent & { type: string } }[];
          pageInfo: { hasNextPage: boolean; endCursor: string };
        };
      }
    ).events;
    found.push(...edges.map(({ node }) => ({ ...node, type: TYPES.get(node.type) ?? assert.fail(node.type) })));
    ({ endCursor: after, hasNextPage: more } = pageInfo);
  }
  return found;
}
