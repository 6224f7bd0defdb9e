import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventTypeOf, patternOf, topicOf } from './event-names.ts';

test('types and wildcards have a name in GraphQL, and are found by it', () => {
  for (const [pattern, name] of [
    ['content.published', 'CONTENT_PUBLISHED'],
    ['youtube_publish.failed', 'YOUTUBE_PUBLISH_FAILED'],
    ['asset.renditions_added', 'ASSET_RENDITIONS_ADDED'],
    ['webhook.test', 'WEBHOOK_TEST'],
    ['youtube_publish.*', 'YOUTUBE_PUBLISH_ALL'],
    ['playlist.*', 'PLAYLIST_ALL'],
    ['*', 'ALL'],
  ] as const) {
    assert.deepEqual([topicOf(pattern), patternOf(name)], [name, pattern]);
  }
  assert.equal(eventTypeOf('content.test_finished'), 'CONTENT_TEST_FINISHED');
  assert.equal(patternOf('MOON_RISEN'), 'MOON_RISEN', 'of a newer server');
});
