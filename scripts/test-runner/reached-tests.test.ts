import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { graphOf } from './import-graph.ts';
import { columnsAddedBy, tablesIn, testsReachedBy } from './reached-tests.ts';

const SERVER = 'server/src';
/** A small platform: a domain with a store, a planner, a component, and tests that open everything. */
const TEXTS: Readonly<Record<string, string>> = {
  [`${SERVER}/gql/index.ts`]: `export { plan } from './plan.ts';\nexport { Cursor } from './cursor.ts';\n`,
  [`${SERVER}/gql/plan.ts`]: `export const plan = 1;\n`,
  [`${SERVER}/gql/cursor.ts`]: `export const Cursor = 1;\n`,
  [`${SERVER}/gql/plan.test.ts`]: `import { plan } from './plan.ts';\n`,
  [`${SERVER}/gql/cursor.test.ts`]: `import { Cursor } from './cursor.ts';\n`,
  [`${SERVER}/http/endpoint.ts`]: `import { plan } from '../gql/index.ts';\n`,
  [`${SERVER}/http/endpoint.test.ts`]: `import './endpoint.ts';\n`,
  [`${SERVER}/http/pages.test.ts`]: `import { type Plan, Cursor } from '../gql/index.ts';\n`,
  [`${SERVER}/domains/social/register.ts`]:
    `import { likes } from './likes/like.store.ts';\nimport { ` + `plan } from '../../gql/index.ts';\n`,
  [`${SERVER}/domains/social/likes/like.store.ts`]:
    `import type { Row } from '../../catalog/row.ts';\nexport ` +
    `const likes = sql('like', 'insert into likes (weight) values ($1)');\n`,
  [`${SERVER}/domains/social/likes/like.test.ts`]: `import { openTestCatalog } from '../../catalog/testing.ts';\n`,
  [`${SERVER}/domains/catalog/row.ts`]: `export interface Row {}\n`,
  [`${SERVER}/domains/catalog/drafts.ts`]: `export const drafts = 1;\n`,
  [`${SERVER}/domains/ingest/uploads.fixture.ts`]: `import { drafts } from '../catalog/drafts.ts';\n`,
  [`${SERVER}/domains/ingest/uploads.test.ts`]: `import './uploads.fixture.ts';\n`,
  [`${SERVER}/platform/db/migrations.ts`]: `const FOLDER = '../../../migrations/';\n`,
  [`${SERVER}/platform/db/migrations.test.ts`]: `import './migrations.ts';\n`,
  [`${SERVER}/platform/db/database.ts`]: `import './migrations.ts';\n`,
  [`${SERVER}/platform/db/database.test.ts`]: `import './database.ts';\n`,
  [`${SERVER}/domains/catalog/testing.ts`]: `import '../../wiring.ts';\n`,
  [`${SERVER}/domains/catalog/catalog.test.ts`]: `import { openTestCatalog } from './testing.ts';\n`,
  [`${SERVER}/domains/social/follows/follow.store.ts`]: `export const follows = sql('follow', 'select from likes');\n`,
  [`${SERVER}/domains/social/follows/follow.test.ts`]: `import { openTestCatalog } from '../../catalog/testing.ts';\n`,
  [`${SERVER}/schema.names.test.ts`]: `import './wiring.ts';\n`,
  [`${SERVER}/schema.access.test.ts`]: `import './wiring.ts';\n`,
  [`${SERVER}/docs/docs.test.ts`]: `const file = '../../../schema.graphql';\n`,
  [`${SERVER}/docs/addresses.test.ts`]: `const address = '/schema.graphql';\n`,
  'clients/typescript/src/operations.gen.ts': `export const OPERATIONS = [];\n`,
  'clients/typescript/src/client.ts': `import { OPERATIONS } from './operations.gen.ts';\n`,
  'clients/typescript/test/client.test.ts': `import '../src/client.ts';\n`,
  'clients/typescript/test/operations.test.ts': `import { OPERATIONS } from '../src/operations.gen.ts';\n`,
  [`${SERVER}/wiring.ts`]: `import './domains/social/register.ts';\n`,
  'packages/sql-planner/src/index.ts': `export { shape } from './shape.ts';\n`,
  'packages/sql-planner/src/shape.ts': `export const shape = 1;\n`,
  'packages/sql-planner/src/shape.test.ts': `import { shape } from './shape.ts';\n`,
  [`${SERVER}/mcp/tools.test.ts`]: `import { shape } from '@reelgraph/sql-planner';\n`,
  [`${SERVER}/mcp/registry/registry.ts`]: `const FOLDER = join(import.meta.dirname, '../tools');\n`,
  [`${SERVER}/mcp/registry/registry.test.ts`]: `import './registry.ts';\n`,
  'web/src/features/comments/threads.ts': `export const threads = 1;\n`,
  'web/src/features/comments/threads.test.ts': `import { threads } from './threads.ts';\n`,
  'web/src/features/search/search.test.ts': `import '../../lib/words.ts';\n`,
};

const isGenerated = (file: string) => /\.gen\.ts$|^schema\.graphql$/.test(file);
const graph = graphOf(new Map(Object.entries(TEXTS)));

async function reachedBy(file: string, lines = '', blocks: readonly string[] = []): Promise<string[]> {
  const change = { files: [file], linesOf: async () => lines, blocksOf: async () => blocks };
  const { reached } = await testsReachedBy(change, graph, isGenerated);
  return [...reached].sort();
}

describe('a one-line change', () => {
  test('in a domain reaches the tests beside it, not those that only open the whole platform', async () => {
    const files = [`${SERVER}/domains/social/likes/like.store.ts`];
    const change = { files, linesOf: async () => '', blocksOf: async () => [] };
    const { reached, byWholeApi } = await testsReachedBy(change, graph, isGenerated);
    assert.deepEqual([...reached], [`${SERVER}/domains/social/likes/like.test.ts`]);
    assert.ok(byWholeApi.has(`${SERVER}/domains/catalog/catalog.test.ts`));
  });

  test('in the planner reaches its tests and those of dependent modules, through an index only by imported name', async () => {
    assert.deepEqual(await reachedBy(`${SERVER}/gql/plan.ts`), [
      `${SERVER}/gql/cursor.test.ts`,
      `${SERVER}/gql/plan.test.ts`,
      `${SERVER}/http/endpoint.test.ts`,
    ]);
    assert.deepEqual(await reachedBy(`${SERVER}/gql/cursor.ts`), [
      `${SERVER}/gql/cursor.test.ts`,
      `${SERVER}/gql/plan.test.ts`,
      `${SERVER}/http/pages.test.ts`,
    ]);
  });

  test('in a workspace reaches importers by package name', async () => {
    assert.deepEqual(await reachedBy('packages/sql-planner/src/shape.ts'), [
      'packages/sql-planner/src/shape.test.ts',
      `${SERVER}/mcp/tools.test.ts`,
    ]);
  });

  test('in a component reaches the tests of its feature and the journeys through it', async () => {
    assert.deepEqual(await reachedBy('web/src/features/comments/comment-form.tsx'), [
      'e2e/viewers/watching.full.test.ts',
      'web/src/features/comments/threads.test.ts',
    ]);
  });

  test('in a test reaches that test', async () => {
    assert.ok((await reachedBy(`${SERVER}/http/pages.test.ts`)).includes(`${SERVER}/http/pages.test.ts`));
  });

  test('in a migration reaches the tests of modules that use its tables', async () => {
    assert.deepEqual(
      await reachedBy('server/migrations/0099_more.sql', 'alter table likes alter column weight set not null;'),
      [
        `${SERVER}/domains/social/follows/follow.test.ts`,
        `${SERVER}/domains/social/likes/like.test.ts`,
        `${SERVER}/platform/db/migrations.test.ts`,
      ],
    );
  });

  test('does not reach another domain whose fixture opens it', async () => {
    assert.deepEqual(await reachedBy(`${SERVER}/domains/catalog/drafts.ts`), [
      `${SERVER}/domains/catalog/catalog.test.ts`,
    ]);
  });

  test('in a migration that only adds columns reaches those of modules that use the columns', async () => {
    const add = 'alter table likes add column weight integer;';
    assert.deepEqual(await reachedBy('server/migrations/0099_more.sql', add), [
      `${SERVER}/domains/social/likes/like.test.ts`,
      `${SERVER}/platform/db/migrations.test.ts`,
    ]);
  });

  test('in a generated file reaches the tests that read it, and in the schema those that walk it', async () => {
    assert.deepEqual(await reachedBy('clients/typescript/src/operations.gen.ts'), [
      'clients/typescript/test/operations.test.ts',
    ]);
    const walkers = [`${SERVER}/docs/docs.test.ts`, `${SERVER}/schema.names.test.ts`];
    const field = '+  """Where."""\n+  place: String!';
    assert.deepEqual(await reachedBy('schema.graphql', field, ['type Metadata {']), walkers);
    const all = [walkers[0], `${SERVER}/schema.access.test.ts`, walkers[1]];
    assert.deepEqual(await reachedBy('schema.graphql', field, ['type Metadata {', 'type Mutation {']), all);
    assert.deepEqual(await reachedBy('schema.graphql', '+  id: DID!', ['type Metadata {']), all);
  });

  test('in a file that is read with its folder reaches the tests of the reader', async () => {
    assert.deepEqual(await reachedBy(`${SERVER}/mcp/tools/catalog/search.graphql`), [
      `${SERVER}/mcp/registry/registry.test.ts`,
    ]);
  });

  test('in a type reaches only the tests beside it', async () => {
    assert.deepEqual(await reachedBy(`${SERVER}/domains/catalog/row.ts`), [
      `${SERVER}/domains/catalog/catalog.test.ts`,
    ]);
  });
});

describe('SQL', () => {
  test('that only adds columns has their names', () => {
    const add = `-- Where.\n+ALTER TABLE contents ADD COLUMN place text CHECK (char_length(place) <= 100);`;
    assert.deepEqual(columnsAddedBy(add), ['place']);
    assert.deepEqual(columnsAddedBy(`${add}\nalter table only plays add column if not exists day date;`), [
      'place',
      'day',
    ]);
    assert.equal(columnsAddedBy(`${add}\nupdate contents set place = '';`), null);
    assert.equal(columnsAddedBy('alter table contents add column a text, drop column b;'), null);
    assert.equal(columnsAddedBy(''), null);
  });

  test('names its tables', () => {
    assert.deepEqual(
      tablesIn(
        'create table if not exists plays (id uuid);\ninsert into likes select * ' +
          'from follows;\ncreate trigger t after update on contents;',
      ),
      ['plays', 'likes', 'follows', 'contents'],
    );
  });
});
