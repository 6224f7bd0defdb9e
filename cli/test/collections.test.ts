import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { sharedTestPlatform } from '../../clients/typescript/test/platform.fixture.ts';
import { THOROUGH } from '../../scripts/test-runner/cases.ts';
import { CliUser } from './run-cli.fixture.ts';

const platform = sharedTestPlatform();
let person: CliUser;
let contentId = '';
before(async () => {
  person = new CliUser(join(platform.folder, 'someone'), { REELGRAPH_URL: platform.url, REELGRAPH_KEY: platform.key });
  const created = await person.start(['query', '-'], 'mutation { createContent(input: { title: "A video" }) { id } }')
    .ended;
  contentId = JSON.parse(created.out).data.createContent.id;
});

test('captions are added from a file, listed and deleted', async () => {
  const file = join(person.home, 'video.de.vtt');
  writeFileSync(file, 'WEBVTT\n\n00:00.000 --> 00:02.000\nGuten Morgen\n');
  assert.equal((await person.run('captions', 'add', contentId, file)).code, 2, 'the language is required');
  const latin = join(person.home, 'video.fr.srt');
  writeFileSync(latin, Buffer.from('1\n00:00:00,000 --> 00:00:02,000\nVoil\u00e0\n', 'latin1'));
  const refused = await person.run('captions', 'add', contentId, latin, '--language', 'fr');
  assert.equal(refused.code, 2);
  assert.match(refused.err, /is not UTF-8 text/);
  const added = await person.json<{ id: string; language: string }>(
    'captions',
    'add',
    contentId,
    file,
    '--language',
    'de',
    '--default',
  );
  assert.equal(added.language, 'de');
  type List = { captions: { id: string; isDefault: boolean }[] };
  const { captions } = await person.json<List>('captions', 'list', contentId);
  assert.deepEqual(
    captions.map(({ id, isDefault }) => [id, isDefault]),
    [[added.id, true]],
  );
  assert.match((await person.run('captions', 'list', contentId)).out, / de +\w+ +default /);
  assert.equal((await person.run('captions', 'delete', added.id)).code, 0);
  assert.deepEqual((await person.json<List>('captions', 'list', contentId)).captions, []);
  assert.equal((await person.run('captions', 'delete', added.id)).code, 4);
});

test('signing keys are created with their private key in a file, listed and deleted', THOROUGH, async () => {
  const file = join(person.home, 'playback.pem');
  type Key = { id: string; description: string; algorithm: string };
  const create = ['signing-key', 'create', '--description', 'The shop', '--out', file];
  const { signingKey } = await person.json<{ signingKey: Key; privateKey?: string }>(...create);
  assert.match(readFileSync(file, 'utf8'), /^-----BEGIN PRIVATE KEY-----/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const again = await person.run(...create);
  assert.equal(again.code, 2);
  assert.match(again.err, /it exists already/);
  const shown = await person.run('signing-key', 'create', '--algorithm', 'RS256');
  assert.match(shown.out, /-----BEGIN PRIVATE KEY-----/);
  const { signingKeys } = await person.json<{ signingKeys: Key[] }>('signing-key', 'list');
  assert.deepEqual(
    signingKeys.map(({ description, algorithm }) => [description, algorithm]),
    [
      ['', 'RS256'],
      ['The shop', 'EDDSA'],
    ],
  );
  assert.equal((await person.run('signing-key', 'delete', signingKey.id)).code, 0);
  assert.equal((await person.run('signing-key', 'delete', signingKey.id)).code, 4);
});

test('private contents are shared with people and by links, listed and taken back', THOROUGH, async () => {
  type Sharing = { people: { id: string; email: string }[]; links: { id: string; name: string; maxUses: number }[] };
  const { share } = await person.json<{ share: { id: string } }>('share', 'add', contentId, 'Maria@Example.com');
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const options = ['--name', 'Jury', '--max-uses', '3', '--expires', tomorrow];
  const printed = await person.run('share', 'create-link', contentId, ...options);
  assert.match(printed.out, /^http:\/\/[^/]+\/share\/[\w-]{32}\n$/);
  assert.equal((await person.run('share', 'add', contentId, '@nobody_of_this_name')).code, 4);
  const { people, links } = await person.json<Sharing>('share', 'list', contentId);
  assert.deepEqual(
    people.map(({ id, email }) => [id, email]),
    [[share.id, 'maria@example.com']],
  );
  assert.deepEqual(
    links.map(({ name, maxUses }) => [name, maxUses]),
    [['Jury', 3]],
  );
  assert.match((await person.run('share', 'list', contentId)).out, /Jury +opened 0 of 3 times/);
  assert.equal((await person.run('share', 'remove', share.id)).code, 0);
  assert.equal((await person.run('share', 'delete-link', links[0]?.id ?? '')).code, 0);
  assert.deepEqual(await person.json<Sharing>('share', 'list', contentId), { people: [], links: [] });
});

test('tokens are created with a key, printed once, listed and revoked', THOROUGH, async () => {
  const permissions = ['--permissions', 'content:create,asset:upload'];
  const created = await person.run('token', 'create', '--name', 'Script', ...permissions, '--expires-in', '7');
  assert.match(created.out, /^rgt_[0-9A-Za-z]{38}\n$/);
  assert.match(created.err, /which expires 20.*The token is not shown again/);
  const again = await person.run('token', 'create', '--name', 'script', '--permissions', 'content:read');
  assert.match(again.err, /has a token with this name/);
  type Token = { name: string; permissions: string[]; channels: string[] | null };
  const { tokens } = await person.json<{ tokens: Token[] }>('token', 'list');
  assert.deepEqual(
    tokens.map(({ name, permissions: given, channels }) => [name, given, channels]),
    [['Script', ['content:read', 'content:create', 'asset:upload'], null]],
  );
  const tests = await person.run('token', 'create', '--name', 'Tests', '--test', '--permissions', 'content:create');
  assert.match(tests.out, /^test_[0-9A-Za-z]{38}\n$/);
  assert.match((await person.run('token', 'list')).out, /Tests.*test mode/);
  assert.equal((await person.run('token', 'revoke', 'SCRIPT')).code, 0);
  assert.match((await person.run('token', 'revoke', 'Script')).err, /There is no token named "Script"/);
  const bad = await person.run('token', 'create', '--name', 'Script', '--permissions', 'x', '--expires-in', 'soon');
  assert.match(bad.err, /whole number of days/);
});

test('playlists are created, filled, shown and emptied', async () => {
  const { id } = await person.json<{ id: string }>(
    'playlist',
    'create',
    'Best of the year',
    '--visibility',
    'UNLISTED',
  );
  assert.equal((await person.run('playlist', 'add', id, contentId)).out, `✔ added ${contentId}\n`);
  const missing = 'did:reelgraph:content/feature/01980000-0000-7000-8000-000000000000';
  const refused = await person.run('playlist', 'add', id, missing);
  assert.equal(refused.code, 4);
  assert.match(refused.out, /^✖ /);
  type Shown = { metadata: { title: string }; items: { id: string; content: { metadata: { title: string } } }[] };
  const shown = await person.json<Shown>('playlist', 'show', id);
  assert.deepEqual(
    shown.items.map(({ content }) => content.metadata.title),
    ['A video'],
  );
  const [item] = shown.items;
  assert.equal((await person.run('playlist', 'remove', id, item?.id ?? '')).code, 0);
  assert.match((await person.run('playlist', 'show', id)).out, /^Best of the year \(UNLISTED, 0 items\)/);
  const { playlists } = await person.json<{ playlists: { id: string }[] }>('playlist', 'list');
  assert.ok(
    playlists.some((one) => one.id === id),
    'members also see unlisted ones',
  );
});

test('playlists are changed, ordered and deleted', THOROUGH, async () => {
  const { id } = await person.json<{ id: string }>('playlist', 'create', 'To order');
  for (const title of ['One', 'Two', 'Three']) {
    const content = await person.json<{ data: { createContent: { id: string } } }>(
      'query',
      `mutation { createContent(input: { title: "${title}" }) { id } }`,
    );
    assert.equal((await person.run('playlist', 'add', id, content.data.createContent.id)).code, 0);
  }
  type Shown = { items: { id: string; content: { metadata: { title: string } } }[] };
  const items = async () => (await person.json<Shown>('playlist', 'show', id)).items;
  const titles = async () => (await items()).map(({ content }) => content.metadata.title);
  const [one = '', two = '', three = ''] = (await items()).map((item) => item.id);
  assert.equal((await person.run('playlist', 'move', id, three, '--position', '1')).out, `✔ moved ${three}\n`);
  assert.deepEqual(await titles(), ['Three', 'One', 'Two']);
  assert.equal((await person.run('playlist', 'move', id, two, three, '--before', one)).code, 0);
  assert.deepEqual(await titles(), ['Two', 'Three', 'One']);
  assert.equal((await person.run('playlist', 'move', id, two)).code, 0);
  assert.deepEqual(await titles(), ['Three', 'One', 'Two']);
  assert.equal((await person.run('playlist', 'move', id, two, '--before', one, '--after', three)).code, 2);

  assert.match((await person.run('playlist', 'update', id)).err, /Nothing to change was named/);
  const update = ['playlist', 'update', id, '--title', 'Ordered', '--keyword', 'films', '--visibility', 'private'];
  assert.equal((await person.run(...update)).out, '✔ updated Ordered\n');
  type Changed = { visibility: string; metadata: { title: string; keywords: string[] } };
  const { visibility, metadata } = await person.json<Changed>('playlist', 'show', id);
  assert.deepEqual([metadata.title, metadata.keywords, visibility], ['Ordered', ['films'], 'PRIVATE']);

  assert.match((await person.run('playlist', 'delete', id)).err, /Delete 1 playlist for good\?.*--yes/s);
  assert.equal((await person.run('playlist', 'delete', id, '--yes')).out, `✔ deleted ${id}\n`);
  assert.equal((await person.run('playlist', 'show', id)).code, 4);
});
