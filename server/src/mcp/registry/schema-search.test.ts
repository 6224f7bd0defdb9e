import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { platformSchema } from '../../schema.ts';
import { findInSchema } from './schema-search.ts';

describe('searching the schema', () => {
  const schema = platformSchema();
  const names = (query: string, limit = 10) => findInSchema(schema, query, limit).map(({ name }) => name);

  it('ranks an exact name first', () => {
    assert.equal(names('moveEpisode')[0], 'Mutation.moveEpisode');
    assert.equal(names('ContentInput')[0], 'ContentInput');
  });

  it('finds operations by their description', () => {
    assert.ok(names('put comments on hold').includes('Mutation.holdComments'));
    assert.ok(names('rotate the secret of a webhook')[0] === 'Mutation.rotateWebhookSecret');
  });

  it('returns definitions for writing a document', () => {
    const [input] = findInSchema(schema, 'PlaylistInput', 1);
    assert.match(input?.definition ?? '', /input PlaylistInput \{[\s\S]*title: String/);
    const [field] = findInSchema(schema, 'Query.playlist', 1);
    assert.match(field?.definition ?? '', /Query\.playlist\(id: DID!\): Playlist$/);
  });

  it('omits connection types, and finds nothing for nonsense', () => {
    assert.ok(names('connection', 50).every((name) => name.includes('.') || !/(Connection|Edge)$/.test(name)));
    assert.deepEqual(names('xylophone quux'), []);
  });

  it('returns the requested number', () => assert.equal(names('content', 3).length, 3));
});
