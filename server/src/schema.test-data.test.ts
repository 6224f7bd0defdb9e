import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type GraphQLNamedType, type GraphQLOutputType, getNamedType } from 'graphql';
import { THOROUGH } from '../../scripts/test-runner/cases.ts';
import { TOKEN_PERMISSIONS } from './kernel/permissions.ts';
import { platformSchema } from './schema.ts';
import { call, type Operation, operationsIn } from './testing/access-attempts.ts';
import { readAccessMatrix } from './testing/access-document.ts';
import { everyConnection, queryReaching } from './testing/example-documents.ts';
import { openSeededPlatform, type SeededPlatform } from './testing/seed-platform.ts';

/** Every operation, on a platform whose only contents are in the test channel of an account. */
const operations = operationsIn(platformSchema());
let fixture: SeededPlatform;
before(async () => {
  fixture = await openSeededPlatform({ ofTests: true });
});
after(() => fixture?.close());

/** Lists that are not about what is in channels, for strangers too. */
const NOT_OF_CHANNELS: readonly string[] = ['categories', 'genres', 'ratings', 'tokens', 'dataExports'];

/** Of what strangers may do with a channel and what is private in it, what an example does with the test channel. */
const OF_CHANNELS: readonly string[] = ['mutation report a channel'];

/** A selection of identifiers, or of the type where there are none. */
function identifiers(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  const fields = fieldsOf(named);
  if (fields['edges']) {
    const node = fieldsOf(getNamedType(fields['edges'].type))['node']?.type;
    return node ? `{ totalCount edges { node ${identifiers(node)} } }` : '';
  }
  if (fields['id']) return '{ id }';
  return 'getFields' in named || 'getTypes' in named ? '{ __typename }' : '';
}

const fieldsOf = (type: GraphQLNamedType) =>
  'getFields' in type ? (type.getFields() as Record<string, { type: GraphQLOutputType }>) : {};

function documentOf({ field: { name, type } }: Operation): string {
  const given = fixture.queries[`Query.${name}`]?.replace('first: 2', 'first: 50');
  const all = given ?? (getNamedType(type).name.endsWith('Connection') ? 'first: 50' : '');
  return `{ value: ${name}${all === '' ? '' : `(${all})`} ${identifiers(type)} }`;
}

/** The document that reaches the list `Type.field`, with up to 50 of its entries by their identifiers. */
function withIdentifiers(name: string, document: string): string {
  const [type = '', field = ''] = name.split('.');
  const list = fieldsOf(fixture.schema.getType(type) as GraphQLNamedType)[field]?.type;
  const read = list ? identifiers(list) : '';
  return document.replace('first: 2', 'first: 50').replace(/\{ totalCount .* node \{ __typename \} \} \}/, read);
}

/** Identifiers of all objects in the test channel. */
async function testObjects(): Promise<string[]> {
  const tables = ['contents', 'playlists', 'comments', 'image_assets', 'captions', 'transcode_jobs', 'video_assets'];
  const rows = await fixture.rows<{ id: string }>(
    [...tables, 'webhooks', 'signing_keys', 'youtube_publish_jobs']
      .map((table) => `select t.id from ${table} t join channels h on h.id = t.channel_id where h.is_test`)
      .concat('select id from channels where is_test')
      .join(' union all '),
  );
  return rows.map(({ id }) => id);
}

describe('what is in a test channel', () => {
  for (const operation of operations) {
    if (operation.kind !== 'query') continue;
    const { name } = operation.field;
    test(`is not in what strangers and the public read from ${name}`, async () => {
      const document = documentOf(operation);
      for (const { data } of [await fixture.run(fixture.people.stranger, document), await fixture.openly(document)]) {
        const text = JSON.stringify(data ?? null);
        const found = (await testObjects()).filter((id) => text.includes(id));
        assert.deepEqual(found, [], text);
        const list = (data as { value?: { totalCount?: number; edges?: unknown[] } } | null)?.value;
        if (list?.edges && !NOT_OF_CHANNELS.includes(name)) assert.equal(list.totalCount, list.edges.length, text);
      }
    });
  }

  const isPrivate = new Map(readAccessMatrix().map((row) => [`${row.operation} ${row.caseName}`.trim(), row]));
  for (const operation of operations) {
    const name = `${operation.kind} ${operation.field.name} ${operation.caseName}`.trim();
    const expected = isPrivate.get(name)?.outcomes.stranger_private;
    if (operation.kind !== 'mutation' || expected === undefined) continue;
    if (expected === 'allowed' && !OF_CHANNELS.includes(name)) continue;
    test(`is hidden from strangers: ${name}`, THOROUGH, async () => {
      const { code, changed } = await call(fixture, operation, 'stranger');
      assert.ok(code === 'RESOURCE_NOT_FOUND' || (code === expected && code !== 'allowed'), code);
      assert.deepEqual(changed, []);
    });
  }

  for (const argument of ['followChannel(channel', 'follow(targetLrn'])
    test(`is hidden from strangers: mutation ${argument})`, async () => {
      const did = (fixture.queries['Query.channel'] ?? '').replace('id: ', '');
      const follow = `mutation { value: ${argument}: ${did}) { __typename } }`;
      const changed = await fixture.changed(async () => {
        const { errors } = await fixture.run(fixture.people.stranger, follow);
        assert.deepEqual(
          errors.map(({ code }) => code),
          ['RESOURCE_NOT_FOUND'],
        );
      });
      assert.deepEqual(changed, []);
    });

  for (const name of everyConnection(platformSchema()))
    test(`is not in what a token for another channel reads from ${name}`, async () => {
      const document =
        queryReaching(fixture.schema, name, fixture.queries) ?? assert.fail(`no example reaches ${name}`);
      const who = await fixture.ownerWith(TOKEN_PERMISSIONS, await fixture.otherChannel());
      const { data, errors } = await fixture.run(who, withIdentifiers(name, document));
      const refusals = errors.filter(({ code }) => code !== 'RESOURCE_NOT_FOUND' && code !== 'UNAUTHORIZED');
      assert.deepEqual(refusals, []);
      const text = JSON.stringify(data ?? null);
      assert.deepEqual(
        (await testObjects()).filter((id) => text.includes(id)),
        [],
        text,
      );
    });

  test('is of every kind', async () => {
    assert.ok((await testObjects()).length > 20);
  });

  test('has images that have no plain address', async () => {
    const [{ id: channel } = { id: '' }] = await fixture.rows<{ id: string }>('select id from channels where is_test');
    const insert = (channelId: string) =>
      fixture.rows<{ test: boolean }>(
        `insert into image_assets (id, channel_id, purpose, alt, width, height, mime_type, size_bytes, object_prefix,
           variants, dominant_color, blurhash)
         values (uuidv7(), $1, 'BANNER', '', 1, 1, 'image/jpeg', 1, 'images/x/', '[]', '#000000', '000000')
         returning is_test as test`,
        [channelId],
      );
    assert.deepEqual(await insert(channel), [{ test: true }]);
    assert.deepEqual(await insert(fixture.people.stranger?.channelId ?? ''), [{ test: false }]);
  });

  test('is readable for its account, with any credential', async () => {
    const [content, channel] = [fixture.queries['Query.content'], fixture.queries['Query.channel']];
    const query = `{ content(${content}) { channel { isTest } } channel(${channel}) { isTest } }`;
    const who = [fixture.people.owner, await fixture.inTestMode(['content:read'])];
    for (const person of who)
      assert.deepEqual((await fixture.run(person, query)).data, {
        content: { channel: { isTest: true } },
        channel: { isTest: true },
      });
  });
});
