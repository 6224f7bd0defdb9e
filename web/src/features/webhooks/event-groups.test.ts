import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_EXAMPLES } from '../../gql/generated/event-examples.gen.ts';
import { EVENT_TYPES } from '../../gql/generated/event-types.gen.ts';
import { eventGroups } from './event-groups.ts';

const ALL = Object.keys(EVENT_TYPES);

test('every type of event is in one group', () => {
  const groups = eventGroups(ALL);
  assert.deepEqual(groups.flatMap(({ types }) => types).sort(), [...ALL].sort());
  assert.deepEqual(
    groups.map(({ title, types }) => [title, types.length]),
    [
      ['Videos and series', 15],
      ['Channel and members', 8],
      ['Uploads and processing', 10],
      ['Live', 13],
      ['Playlists', 3],
      ['Comments and reports', 5],
      ['Likes and followers', 4],
      ['YouTube', 2],
      ['Exports', 2],
      ['Webhooks', 1],
    ],
  );
});

test('an unknown type goes into its own group', () => {
  assert.deepEqual(eventGroups(['moon.risen', 'content.created']), [
    { title: 'Videos and series', types: ['content.created'] },
    { title: 'Other', types: ['moon.risen'] },
  ]);
});

test('every type of event has an example', () => assert.deepEqual(Object.keys(EVENT_EXAMPLES), ALL));
