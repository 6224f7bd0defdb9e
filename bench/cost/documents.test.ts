import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { buildSchema, parse, validate } from 'graphql';
import { type CostArguments, KINDS } from './arguments.ts';
import { documentsFor } from './documents.ts';

const did = (kind: string) => `did:reelgraph:${kind}/0190a6f0-0000-7000-8000-000000000001`;
const PLACES: CostArguments = {
  channel: did('channel'),
  smallChannel: did('channel'),
  category: did('content/category'),
  rareCategory: did('content/category'),
  categories: [did('content/category')],
  content: did('content/feature'),
  own: [did('content/feature')],
  comment: did('comment'),
  playlist: did('playlist'),
  word: 'river',
  // One for each of KINDS.
  kinds: Object.fromEntries(KINDS.map((kind) => [kind, did(`content/${kind}`)])) as CostArguments['kinds'],
};

describe('measured documents', () => {
  it('exist for every root field and are valid', async () => {
    const schema = buildSchema(await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8'));
    const documents = documentsFor(schema, PLACES);
    const roots = new Set(documents.map(({ field }) => field.split('.')[0]));
    assert.deepEqual([...roots].sort(), Object.keys(schema.getQueryType()?.getFields() ?? {}).sort());
    for (const { query } of documents) assert.deepEqual(validate(schema, parse(query)), [], query);
  });
});
