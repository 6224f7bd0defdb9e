import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

const CREATE =
  'mutation ($channel: DID, $input: ContentInput!) { createContent(channel: $channel, input: $input) ' +
  '{ id kind status metadata { title summary shortSummary keywords visibility contentLayout } channel { id } } }';
const UPDATE =
  'mutation ($id: DID!, $input: ContentInput!) { updateContent(id: $id, input: $input) { metadata ' +
  '{ title summary keywords visibility } } }';
const PUBLISH =
  'mutation ($id: DID!, $date: DateTime) { publishContent(id: $id, releaseDate: $date) ' +
  '{ status publishedAt metadata { releaseDate } } }';
const PUBLISH_WHEN_READY =
  'mutation ($id: DID!, $date: DateTime) { publishContent(id: $id, releaseDate: $date, whenReady: true) ' +
  '{ status publishedAt publishWhenReady } }';
const PUBLISH_FOR =
  'mutation ($id: DID!, $visibility: Visibility, $date: DateTime) { publishContent(id: $id, releaseDate: $date, ' +
  'visibility: $visibility, whenReady: true) { status publishedAt metadata { visibility releaseDate } } }';
const WAITS = 'query ($id: DID!) { content(id: $id) { publishWhenReady } }';
const UNPUBLISH = 'mutation ($id: DID!) { unpublishContent(id: $id) { status publishedAt metadata { releaseDate } } }';
const DELETE = 'mutation ($id: DID!) { deleteContent(id: $id) { id } }';

describe('commands on contents', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(() => api.close());

  const eventsOf = async (did: string) =>
    (await api.rows<{ type: string }>('select type from events where subject_id = $1 order by id', [uuidOf(did)])).map(
      ({ type }) => type,
    );
  const stateOf = (did: string) =>
    api.row('select status, published_at, release_at, deleted_at, title from contents where id = $1', [uuidOf(did)]);

  it('creates a draft in the account’s channel, in one round trip', async () => {
    const input = { title: '  A day out ', summary: 'one\r\ntwo', keywords: ['Sea', 'sea', 'sun'] };
    const { result, roundTrips } = await api.counted(() => api.ok(anna, CREATE, { input }));
    const { id, ...content } = result.createContent;
    assert.match(id, /^did:reelgraph:content\/feature\/[0-9a-f-]{36}$/);
    assert.deepEqual(content, {
      kind: 'FEATURE',
      status: 'DRAFT',
      metadata: {
        title: 'A day out',
        summary: 'one\ntwo',
        shortSummary: '',
        keywords: ['Sea', 'sun'],
        visibility: 'PUBLIC',
        contentLayout: 'LANDSCAPE',
      },
      channel: { id: anna.channel },
    });
    assert.equal(roundTrips, 1);
    assert.deepEqual(await eventsOf(id), ['content.created']);
  });

  it('creates a short in portrait layout with an identifier of its kind', async () => {
    const { createContent } = await api.ok(anna, CREATE, {
      channel: anna.channel,
      input: { title: 'Quick', contentType: 'SHORT' },
    });
    assert.match(createContent.id, /content\/short\//);
    assert.equal(createContent.metadata.contentLayout, 'PORTRAIT');
  });

  const badDrafts: [string, Record<string, unknown>, string, string][] = [
    ['a title of 10,000 characters', { input: { title: 'x'.repeat(10_000) } }, 'INVALID_INPUT', 'input.title'],
    ['a blank title', { input: { title: ' \u200b ' } }, 'FIELD_REQUIRED', 'input.title'],
    ['a control character', { input: { title: 'a\u0007b' } }, 'INVALID_INPUT', 'input.title'],
    ['NUL in a keyword', { input: { title: 'a', keywords: ['ok', 'a\u0000'] } }, 'INVALID_INPUT', 'input.keywords.1'],
    [
      'a content as channel',
      { channel: 'did:reelgraph:content/feature/01a1facb-422b-7000-b9e0-9276b51acd0e', input: { title: 'a' } },
      'INVALID_INPUT',
      'channel',
    ],
    ['something that is no identifier', { channel: 'anna', input: { title: 'a' } }, 'INVALID_INPUT', 'channel'],
    [
      'a channel that is not there',
      { channel: 'did:reelgraph:channel/01a1facb-422b-7000-b9e0-9276b51acd0e', input: { title: 'a' } },
      'RESOURCE_NOT_FOUND',
      'channel',
    ],
  ];
  for (const [name, variables, code, field] of badDrafts) {
    it(`refuses ${name} with ${code} and writes nothing`, async () => {
      const before = await api.row('select count(*) as n from contents');
      const error = await api.refused(anna, CREATE, variables);
      assert.deepEqual([error.code, error.field], [code, field]);
      assert.deepEqual(await api.row('select count(*) as n from contents'), before);
    });
  }

  it("refuses a draft in another account's channel", async () => {
    const error = await api.refused(bert, CREATE, { channel: anna.channel, input: { title: 'Mine now' } });
    assert.deepEqual([error.code, error.field], ['UNAUTHORIZED', 'channel']);
  });

  it('updates the given fields only', async () => {
    const id = await api.content(anna, { title: 'Before' });
    await api.ok(anna, UPDATE, { id, input: { summary: 'Kept' } });
    const { result, roundTrips } = await api.counted(() =>
      api.ok(anna, UPDATE, { id, input: { title: 'After', keywords: [], visibility: 'UNLISTED' } }),
    );
    assert.deepEqual(result.updateContent.metadata, {
      title: 'After',
      summary: 'Kept',
      keywords: [],
      visibility: 'UNLISTED',
    });
    assert.equal(roundTrips, 1);
  });

  const full = { title: 'Hills', summary: 'Long', shortSummary: 'Short', keywords: ['a'] };
  const CLEAR =
    'mutation ($id: DID!, $input: ContentInput!) { updateContent(id: $id, input: $input) { metadata ' +
    '{ title summary shortSummary keywords } } }';
  for (const [name, cleared] of Object.entries({ summary: '', shortSummary: '', keywords: [] })) {
    it(`clears its ${name} with null and keeps the rest, alone and in a batch`, async () => {
      const BATCH = 'mutation ($input: UpdateContentsInput!) { updateContents(input: $input) { results { id ok } } }';
      const [one, other] = [await api.content(anna), await api.content(anna)];
      for (const id of [one, other]) await api.ok(anna, CLEAR, { id, input: full });
      assert.deepEqual((await api.ok(anna, CLEAR, { id: one, input: { [name]: null } })).updateContent.metadata, {
        ...full,
        [name]: cleared,
      });
      await api.ok(anna, BATCH, { input: { items: [{ id: other, changes: { [name]: null } }] } });
      assert.deepEqual((await api.ok(anna, CLEAR, { id: other, input: {} })).updateContent.metadata, {
        ...full,
        [name]: cleared,
      });
    });
  }
  for (const name of ['title', 'visibility', 'layout', 'allowDownload', 'isPremiere', 'isFinale']) {
    it(`refuses null for ${name}, without a change`, async () => {
      const id = await api.content(anna);
      const row = () => api.row('select * from contents where id = $1', [uuidOf(id)]);
      const before = await row();
      const error = await api.refused(anna, CLEAR, { id, input: { summary: 'changed', [name]: null } });
      assert.deepEqual([error.code, error.field], ['FIELD_REQUIRED', `input.${name}`]);
      assert.deepEqual(await row(), before);
    });
  }

  it('publishes a ready content once, in one round trip', async () => {
    const id = await api.content(anna);
    const now = new Date(api.clock.now()).toISOString();
    const { result, roundTrips } = await api.counted(() => api.ok(anna, PUBLISH, { id }));
    assert.deepEqual(result.publishContent, { status: 'PUBLISHED', publishedAt: now, metadata: { releaseDate: now } });
    assert.equal(roundTrips, 1);
    api.clock.advance(5_000);
    assert.deepEqual((await api.ok(anna, PUBLISH, { id })).publishContent.publishedAt, now);
    assert.deepEqual(await eventsOf(id), ['content.published']);
  });

  for (const status of ['DRAFT', 'PROCESSING', 'FAILED']) {
    it(`does not publish a content in state ${status}, and suggests a fix`, async () => {
      const id = await api.content(anna, { status });
      const error = await api.refused(anna, PUBLISH, { id });
      assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'id']);
      assert.equal(((await stateOf(id)) as { status: string }).status, status);
      assert.deepEqual(await eventsOf(id), []);
    });
  }

  it('schedules a publication, and publishes at that time and not before', async () => {
    const { publishDueContents } = await import('../publication/publication.store.ts');
    const id = await api.content(anna);
    const date = new Date(api.clock.now() + 60_000).toISOString();
    const { publishContent } = await api.ok(anna, PUBLISH, { id, date });
    assert.deepEqual(publishContent, { status: 'READY', publishedAt: null, metadata: { releaseDate: date } });
    assert.deepEqual(await publishDueContents(api.platform.db, api.clock.now() + 59_999), []);
    assert.deepEqual(await publishDueContents(api.platform.db, api.clock.now() + 60_000), [uuidOf(id)]);
    assert.deepEqual(await eventsOf(id), ['content.updated', 'content.published']);
    const error = await api.refused(anna, PUBLISH, { id, date: new Date(api.clock.now() + 90_000).toISOString() });
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'releaseDate']);
  });

  it('stores who can see it together with the publication, in one round trip', async () => {
    const id = await api.content(anna);
    const at = (seconds: number) => new Date(api.clock.now() + seconds * 1000).toISOString();
    const now = at(0);
    const [published, later] = [{ status: 'PUBLISHED', publishedAt: now }, at(60)];
    const publish = async (visibility: string, date: string | null) => {
      const { result, roundTrips } = await api.counted(() => api.ok(anna, PUBLISH_FOR, { id, visibility, date }));
      assert.equal(roundTrips, 1);
      return result.publishContent;
    };
    assert.deepEqual(await publish('PRIVATE', null), {
      ...published,
      metadata: { visibility: 'PRIVATE', releaseDate: now },
    });
    assert.deepEqual(await publish('UNLISTED', null), {
      ...published,
      metadata: { visibility: 'UNLISTED', releaseDate: now },
    });
    // A published content with a date is unpublished until then.
    assert.deepEqual(await publish('PUBLIC', later), {
      status: 'READY',
      publishedAt: null,
      metadata: { visibility: 'PUBLIC', releaseDate: later },
    });
    assert.deepEqual(await eventsOf(id), ['content.published', 'content.updated', 'content.unpublished']);
    assert.equal((await api.run(bert, WAITS, { id })).errors?.[0]?.code, 'RESOURCE_NOT_FOUND');
    assert.deepEqual(await publish('UNLISTED', null), {
      ...published,
      metadata: { visibility: 'UNLISTED', releaseDate: now },
    });
  });

  it('changes nothing when a publication with a visibility is refused', async () => {
    const [failed, ready] = [await api.content(anna, { status: 'FAILED' }), await api.content(anna)];
    for (const id of [failed, ready]) {
      await api.ok(anna, UPDATE, { id, input: { visibility: 'PRIVATE' } });
    }
    const rows = () => api.rows('select * from contents order by id');
    const before = await rows();
    const past = new Date(api.clock.now() - 61_000).toISOString();
    const refused = async (person: Person, input: object) => {
      const { code, field } = await api.refused(person, PUBLISH_FOR, { visibility: 'PUBLIC', ...input });
      return [code, field];
    };
    assert.deepEqual(await refused(anna, { id: failed }), ['INVALID_INPUT', 'id']);
    assert.deepEqual(await refused(anna, { id: ready, date: past }), ['INVALID_INPUT', 'releaseDate']);
    assert.deepEqual(await refused(bert, { id: ready }), ['RESOURCE_NOT_FOUND', 'id']);
    assert.deepEqual(await rows(), before);
  });

  it('refuses a release date in the past, up to a minute of difference between clocks', async () => {
    const id = await api.content(anna);
    const ago = (ms: number) => ({ id, date: new Date(api.clock.now() - ms).toISOString() });
    const error = await api.refused(anna, PUBLISH, ago(60_000));
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'releaseDate']);
    assert.equal(((await stateOf(id)) as { status: string }).status, 'READY');
    assert.equal((await api.ok(anna, PUBLISH, ago(59_000))).publishContent.status, 'PUBLISHED');
  });

  it('cancels a scheduled publication', async () => {
    const { publishDueContents } = await import('../publication/publication.store.ts');
    const id = await api.content(anna);
    await api.ok(anna, PUBLISH, { id, date: new Date(api.clock.now() + 60_000).toISOString() });
    assert.deepEqual((await api.ok(anna, UNPUBLISH, { id })).unpublishContent, {
      status: 'READY',
      publishedAt: null,
      metadata: { releaseDate: null },
    });
    assert.deepEqual(await publishDueContents(api.platform.db, api.clock.now() + 60_000), []);
  });

  it('publishes a video that is not ready once it is, if that is requested', async () => {
    const { publishIfRequested } = await import('../publication/publication.store.ts');
    const whenReady = (id: string, input: object = {}) => api.run(anna, PUBLISH_WHEN_READY, { id, ...input });
    const requested = async (id: string) =>
      api.row('select status, publish_when_ready as waits, release_at as at from contents where id = $1', [uuidOf(id)]);
    for (const status of ['DRAFT', 'PROCESSING']) {
      const id = await api.content(anna, { status });
      assert.deepEqual((await whenReady(id)).data.publishContent, {
        status,
        publishedAt: null,
        publishWhenReady: true,
      });
      assert.deepEqual(await eventsOf(id), ['content.updated']);
      await api.rows(`update contents set status = 'READY' where id = $1`, [uuidOf(id)]);
      await publishIfRequested(api.platform.db, uuidOf(id), api.clock.now());
      assert.deepEqual(await requested(id), { status: 'PUBLISHED', waits: false, at: null });
    }
    const later = await api.content(anna, { status: 'DRAFT' });
    const date = new Date(api.clock.now() + 60_000).toISOString();
    await whenReady(later, { date });
    await api.rows(`update contents set status = 'READY' where id = $1`, [uuidOf(later)]);
    await publishIfRequested(api.platform.db, uuidOf(later), api.clock.now());
    assert.deepEqual(await requested(later), { status: 'READY', waits: false, at: date });
    const ready = await api.content(anna);
    assert.equal((await whenReady(ready)).data.publishContent.status, 'PUBLISHED');
    const failed = await api.content(anna, { status: 'FAILED' });
    assert.deepEqual((await whenReady(failed)).errors?.[0]?.code, 'INVALID_INPUT');
    assert.deepEqual(await eventsOf(failed), []);
  });

  it('cancels a requested publication', async () => {
    const id = await api.content(anna, { status: 'DRAFT' });
    await api.ok(anna, PUBLISH_WHEN_READY, { id });
    assert.equal((await api.ok(anna, UNPUBLISH, { id })).unpublishContent.status, 'DRAFT');
    assert.equal((await api.ok(anna, WAITS, { id })).content.publishWhenReady, false);
  });

  it('unpublishes and publishes again', async () => {
    const id = await api.content(anna);
    await api.ok(anna, PUBLISH, { id });
    const { result, roundTrips } = await api.counted(() => api.ok(anna, UNPUBLISH, { id }));
    assert.equal(result.unpublishContent.status, 'READY');
    assert.equal(roundTrips, 1);
    await api.ok(anna, PUBLISH, { id });
    assert.deepEqual(await eventsOf(id), ['content.published', 'content.unpublished', 'content.published']);
  });

  it('deletes in any state; afterwards it exists for no one', async () => {
    const id = await api.content(anna, { status: 'PUBLISHED' });
    const { result, roundTrips } = await api.counted(() => api.ok(anna, DELETE, { id }));
    assert.deepEqual(result.deleteContent, { id });
    assert.equal(roundTrips, 1);
    assert.deepEqual(await api.ok(anna, DELETE, { id }), { deleteContent: { id } });
    assert.deepEqual(await eventsOf(id), ['content.deleted']);
    for (const document of [
      PUBLISH,
      UNPUBLISH,
      'query ($id: DID!) { content(id: $id) { id } }',
      'query ($id: DID!) { feature(id: $id) { id } }',
    ]) {
      assert.equal((await api.refused(anna, document, { id })).code, 'RESOURCE_NOT_FOUND');
    }
    assert.deepEqual(await api.ok(anna, 'query ($id: DID!) { node(id: $id) { id } }', { id }), { node: null });
  });

  const documents: [string, string, Record<string, unknown>][] = [
    ['updateContent', UPDATE, { input: { title: 'Mine' } }],
    ['publishContent', PUBLISH, {}],
    ['unpublishContent', UNPUBLISH, {}],
    ['deleteContent', DELETE, {}],
    [
      'createContentAsset',
      'mutation ($id: DID!) { createContentAsset(id: $id, input: { filename: "a.mp4", size: 5, video: { ' +
        'hint: EQUIRECTANGULAR } }) { id } }',
      {},
    ],
    [
      'submitContentForProcessing',
      'mutation ($id: DID!) { submitContentForProcessing(id: $id) { content { id } } }',
      {},
    ],
    [
      'finalizeContentUpload',
      'mutation ($id: DID!) { finalizeContentUpload(input: { contentId: $id }) { published } }',
      {},
    ],
    [
      'waitForProcessing',
      'mutation ($id: DID!) { waitForProcessing(input: { contentId: $id, timeoutSeconds: 0 }) { status } }',
      {},
    ],
  ];
  for (const [name, document, variables] of documents) {
    it(`${name} returns the same error for a hidden and a missing content, and UNAUTHORIZED for another channel's public one`, async () => {
      const [hidden, open] = [await api.content(anna), await api.content(anna, { status: 'PUBLISHED' })];
      const before = await stateOf(hidden);
      const missing = 'did:reelgraph:content/feature/01a1facb-422b-7000-b9e0-9276b51acd0e';
      const [one, two] = [
        await api.refused(bert, document, { id: hidden, ...variables }),
        await api.refused(bert, document, { id: missing, ...variables }),
      ];
      assert.deepEqual(one, two);
      assert.equal(one.code, 'RESOURCE_NOT_FOUND');
      assert.equal((await api.refused(bert, document, { id: open, ...variables })).code, 'UNAUTHORIZED');
      assert.deepEqual(await stateOf(hidden), before);
      assert.deepEqual(await eventsOf(hidden), []);
    });

    it(`${name} refuses identifiers of another kind`, async () => {
      const error = await api.refused(anna, document, { id: anna.channel, ...variables });
      assert.equal(error.code, 'INVALID_INPUT');
      assert.match(String(error.field), /^(id|input\.contentId)$/);
    });
  }

  it('does not accept a short’s identifier as a feature with the same UUID', async () => {
    const short = await api.content(anna, { kind: 'SHORT' });
    const error = await api.refused(anna, PUBLISH, { id: short.replace('/short/', '/feature/') });
    assert.equal(error.code, 'RESOURCE_NOT_FOUND');
  });
});
