import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';

const PROFILE =
  'mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { profile { displayName bio avatar ' +
  '{ id } } } }';
const SETTINGS =
  'mutation ($input: UpdateSettingsInput!) { updateSettings(input: $input) { settings ' +
  '{ doNotTrack keepHistory language } } }';
const ME =
  '{ me { profile { displayName bio createdAt avatar { purpose alt } } settings { doNotTrack keepHistory language ' +
  '} youtube { connected } } }';

describe('me', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(() => api.close());

  const image = (channelId: string, purpose: string, alt = '') =>
    api.rows(
      `insert into image_assets (id, channel_id, purpose, alt, width, height, mime_type, size_bytes, object_prefix,
        variants, dominant_color, blurhash, created_at)
       values ($1, $2, $3, $4, 8, 8, 'image/webp', 70, 'images/' || $1::uuid || '/',
         '[{"file":"a.webp","width":8,"height":8,"format":"WEBP","sizeBytes":70}]', '#000000', 'x', $5)`,
      [newId(api.clock.now()), channelId, purpose, alt, new Date(api.clock.now()).toISOString()],
    );
  async function video(owner: Person, content: string, ready: boolean): Promise<void> {
    api.clock.advance(1);
    await api.rows(
      `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, ready_at,
        created_at)
       values ($1, $2, $3, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/' || $1::uuid, 100, case
         when $4::boolean then $5::timestamptz end, $5)`,
      [newId(api.clock.now()), owner.channelId, uuidOf(content), ready, new Date(api.clock.now()).toISOString()],
    );
  }

  it('returns profile and settings of a new account, and no YouTube channel, in one statement', async () => {
    const { result, statements } = await api.counted(() => api.ok(anna, ME));
    assert.equal(statements, 1);
    assert.deepEqual(result.me, {
      profile: { displayName: 'anna', bio: '', createdAt: result.me.profile.createdAt, avatar: null },
      settings: { doNotTrack: false, keepHistory: true, language: 'en' },
      youtube: null,
    });
  });

  it('updates the given fields of the profile, and returns the newest avatar of its channel', async () => {
    await image(anna.channelId, 'AVATAR', 'Anna');
    await image(anna.channelId, 'BANNER');
    const { profile } = (await api.ok(anna, PROFILE, { input: { displayName: ' Anna H. ', bio: 'one\r\ntwo' } }))
      .updateProfile;
    assert.deepEqual([profile.displayName, profile.bio], ['Anna H.', 'one\ntwo']);
    await api.ok(anna, PROFILE, { input: {} });
    assert.deepEqual((await api.ok(anna, ME)).me.profile.avatar, { purpose: 'AVATAR', alt: 'Anna' });
    const { channel } = await api.ok(bert, 'query ($id: DID!) { channel(id: $id) { metadata { summary } } }', {
      id: anna.channel,
    });
    assert.equal(channel.metadata.summary, 'one\ntwo');
    assert.deepEqual(await api.rows('select type from events where subject_id = $1', [anna.channelId]), [
      { type: 'channel.updated' },
    ]);
    assert.equal((await api.ok(bert, ME)).me.profile.displayName, 'bert');
  });

  it('clears the bio with null and keeps the name', async () => {
    await api.ok(anna, PROFILE, { input: { displayName: 'Anna', bio: 'one' } });
    const { profile } = (await api.ok(anna, PROFILE, { input: { bio: null } })).updateProfile;
    assert.deepEqual([profile.displayName, profile.bio], ['Anna', '']);
  });

  it('updates the given settings', async () => {
    assert.deepEqual(
      (await api.ok(anna, SETTINGS, { input: { doNotTrack: true, language: 'PT-br' } })).updateSettings.settings,
      {
        doNotTrack: true,
        keepHistory: true,
        language: 'pt-BR',
      },
    );
    assert.deepEqual((await api.ok(anna, SETTINGS, { input: { keepHistory: false } })).updateSettings.settings, {
      doNotTrack: true,
      keepHistory: false,
      language: 'pt-BR',
    });
    assert.deepEqual((await api.ok(bert, ME)).me.settings, { doNotTrack: false, keepHistory: true, language: 'en' });
  });

  const refusals: [string, Record<string, unknown>, string, string][] = [
    [PROFILE, { displayName: ' ' }, 'FIELD_REQUIRED', 'input.displayName'],
    [PROFILE, { displayName: 'x'.repeat(101) }, 'INVALID_INPUT', 'input.displayName'],
    [PROFILE, { displayName: null }, 'FIELD_REQUIRED', 'input.displayName'],
    [SETTINGS, { doNotTrack: null }, 'FIELD_REQUIRED', 'input.doNotTrack'],
    [SETTINGS, { keepHistory: null }, 'FIELD_REQUIRED', 'input.keepHistory'],
    [SETTINGS, { language: null }, 'FIELD_REQUIRED', 'input.language'],
    [PROFILE, { bio: 'a\u0000' }, 'INVALID_INPUT', 'input.bio'],
    [SETTINGS, { language: 'not a language' }, 'INVALID_INPUT', 'input.language'],
  ];
  for (const [document, input, code, field] of refusals) {
    it(`refuses ${field} ${JSON.stringify(input).slice(0, 40)}`, async () => {
      const error = await api.refused(bert, document, { input });
      assert.deepEqual([error.code, error.field], [code, field]);
      assert.equal((await api.refused(null, document, { input })).code, 'UNAUTHENTICATED');
    });
  }

  it('lists the files of all owned channels, newest first, with an exact count', async () => {
    const [open, hidden] = [await api.content(bert, { status: 'PUBLISHED' }), await api.content(bert)];
    await video(bert, open, true);
    await video(bert, hidden, true);
    await video(bert, open, false);
    await image(bert.channelId, 'AVATAR');
    const media =
      'query ($after: String) { me { media { videos(first: 2, after: $after) { totalCount edges { node ' +
      '{ sizeBytes createdAt } } pageInfo { endCursor hasNextPage } } } } }';
    const { result, statements } = await api.counted(() => api.ok(bert, media));
    const { videos } = result.me.media;
    assert.deepEqual(
      [statements, videos.totalCount, videos.edges.length, videos.pageInfo.hasNextPage],
      [1, 3, 2, true],
    );
    const rest = (await api.ok(bert, media, { after: videos.pageInfo.endCursor })).me.media.videos;
    const times = [...videos.edges, ...rest.edges].map((edge: { node: { createdAt: string } }) => edge.node.createdAt);
    assert.deepEqual([times.length, times], [3, [...times].sort().reverse()]);
    assert.equal((await api.ok(bert, '{ me { media { images { totalCount } } } }')).me.media.images.totalCount, 1);
  });

  it('shows others only the public, playable videos of a channel', async () => {
    const query = 'query ($id: DID!) { channel(id: $id) { assets { videos { totalCount edges { node { id } } } } } }';
    const seen = async (who: Person) => {
      const { totalCount, edges } = (await api.ok(who, query, { id: bert.channel })).channel.assets.videos;
      return [totalCount, edges.length];
    };
    assert.deepEqual(
      [await seen(bert), await seen(anna)],
      [
        [3, 3],
        [1, 1],
      ],
    );
  });
});
