import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog } from '../testing.ts';

const CREATE =
  'mutation ($input: ContentInput!) { createContent(input: $input) { id kind hints { type containsAds } } }';
const UPDATE = 'mutation ($id: DID, $input: ContentInput!) { updateContent(id: $id, input: $input) { id } }';

describe('metadata and hints of a content', () => {
  let api: TestCatalog;
  let anna: Person;
  before(async () => {
    api = await openTestCatalog();
    anna = await api.person('anna');
  });
  after(() => api.close());

  const rows = () => api.rows('select * from contents order by id');

  const KINDS: readonly [type: string, kind: string, answered: string][] = [
    ['FEATURE', 'FEATURE', 'FEATURE'],
    ['ANY', 'FEATURE', 'FEATURE'],
    ['SHORT', 'SHORT', 'SHORT'],
    ['LIVE', 'STREAM', 'LIVE'],
    ['SERIES', 'SERIES', 'SERIES'],
  ];
  for (const [type, kind, answered] of KINDS) {
    it(`create a ${kind} of the type ${type}`, async () => {
      const input = { metadata: { name: 'New' }, hints: [{ type, containsAds: 'MAYBE' }] };
      const { createContent } = await api.ok(anna, CREATE, { input });
      assert.deepEqual([createContent.kind, createContent.hints], [kind, [{ type: answered, containsAds: 'MAYBE' }]]);
    });
  }

  it('refuses a list that costs too much, with the list', async () => {
    const keywords = Array.from({ length: 1_500 }, (_, n) => `word ${n}`);
    const before = await rows();
    const error = await api.refused(anna, CREATE, { input: { metadata: { title: 'A', keywords } } });
    assert.deepEqual(
      [error.code, error.field, error.suggestedFix],
      [
        'GRAPHQL_VALIDATION_FAILED',
        'input.metadata.keywords',
        'Send fewer entries in this list: each beyond the first ten costs a point.',
      ],
    );
    const fewer = await api.refused(anna, CREATE, {
      input: { metadata: { title: 'A', keywords: keywords.slice(1_000) } },
    });
    assert.deepEqual([fewer.code, fewer.field], ['INVALID_INPUT', 'input.metadata.keywords']);
    assert.deepEqual(await rows(), before);
  });

  const REFUSED: readonly [input: Record<string, unknown>, code: string, field: string][] = [
    [{}, 'FIELD_REQUIRED', 'input.title'],
    [{ metadata: { title: '' } }, 'FIELD_REQUIRED', 'input.metadata.title'],
    [{ metadata: { name: 'x'.repeat(201) } }, 'INVALID_INPUT', 'input.metadata.name'],
    [{ title: 'A', metadata: { title: 'B' } }, 'INVALID_INPUT', 'input.metadata.title'],
    [{ metadata: { title: 'A', genre: { name: 'Polka' } } }, 'RESOURCE_NOT_FOUND', 'input.metadata.genre.name'],
    [
      { metadata: { title: 'A', rating: { name: 'X', system: 'MPAA' } } },
      'RESOURCE_NOT_FOUND',
      'input.metadata.rating.name',
    ],
    [
      { metadata: { title: 'A', categories: [{ name: 'Music' }, { name: 'None' }] } },
      'RESOURCE_NOT_FOUND',
      'input.metadata.categories.1.name',
    ],
    [
      { metadata: { title: 'A' }, hints: [{ type: 'EPISODE', containsAds: 'NO' }] },
      'INVALID_INPUT',
      'input.hints.0.type',
    ],
    [
      {
        title: 'A',
        hints: [
          { type: 'SHORT', containsAds: 'NO' },
          { type: 'FEATURE', containsAds: 'NO' },
        ],
      },
      'INVALID_INPUT',
      'input.hints',
    ],
  ];
  for (const [input, code, field] of REFUSED) {
    it(`are refused at ${field}: ${JSON.stringify(input).slice(0, 60)}`, async () => {
      const before = await rows();
      const error = await api.refused(anna, CREATE, { input });
      assert.deepEqual([error.code, error.field], [code, field]);
      assert.deepEqual(await rows(), before);
    });
  }

  it('do not change the type of a content, and need its id', async () => {
    const id = await api.content(anna);
    const before = await rows();
    const changed = await api.refused(anna, UPDATE, { id, input: { hints: [{ type: 'SHORT', containsAds: 'NO' }] } });
    assert.deepEqual([changed.code, changed.field], ['INVALID_INPUT', 'input.hints.0.type']);
    const missing = await api.refused(anna, UPDATE, { input: { title: 'B' } });
    assert.deepEqual([missing.code, missing.field], ['FIELD_REQUIRED', 'id']);
    assert.deepEqual(await rows(), before);
  });
});
