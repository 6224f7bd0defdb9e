import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { tablesChanged } from '../../../testing/tables-changed.ts';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { mediaRoutes } from '../../delivery/media.routes.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

const FIELDS = 'id language label kind isDefault isForced version vtt srt';
const CREATE =
  'mutation ($id: DID!, $input: CreateContentCaptionsInput!) { createContentCaptions(id: $id, input: $input) ' +
  `{ captions { ${FIELDS} } } }`;
const UPDATE =
  'mutation ($id: DID!, $input: UpdateContentCaptionsInput!) { updateContentCaptions(id: $id, input: $input) ' +
  `{ captions { ${FIELDS} } } }`;
const DELETE = 'mutation ($id: DID!) { deleteContentCaptions(id: $id) { id } }';
const LIST =
  'query ($id: DID!, $first: Int, $after: String, $last: Int, $before: String) { content(id: $id) ' +
  `{ captions(first: $first, after: $after, last: $last, before: $before) { totalCount edges { node { ${FIELDS} } ` +
  '} pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } }';
const SRT = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';
const MASTER =
  '#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="subs/0/index.m3u8"\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="subs"\nv360/index.m3u8\n';

const MANIFEST =
  '<MPD mediaPresentationDuration="PT5S">\n  <Period id="0" start="PT0S">\n    <AdaptationSet contentType="video"/>\n' +
  '  </Period>\n</MPD>\n';

describe('captions of contents', () => {
  let api: TestCatalog;
  let server: Awaited<ReturnType<typeof serveAssetRoutes>>;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    server = await serveAssetRoutes(mediaRoutes(api.platform));
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(async () => {
    await server.close();
    await api.close();
  });

  /** A published content with a stream, and the addresses of its master playlist and DASH manifest. */
  async function videoId(): Promise<{ id: string; master: string; manifest: string }> {
    const id = await api.content(anna, { status: 'PUBLISHED' });
    const video = newId();
    const prefix = `media/${uuidOf(id)}/${video}/job-1/`;
    await api.platform.store.put(`${prefix}master.m3u8`, Buffer.from(MASTER), {
      contentType: 'application/vnd.apple.mpegurl',
    });
    await api.platform.store.put(`${prefix}manifest.mpd`, Buffer.from(MANIFEST), {
      contentType: 'application/dash+xml',
    });
    await api.rows(
      `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, duration_ms,
        package_prefix, ready_at)
       values ($1, $2, $3, 'SHORT', 'a', $4, 1, 5000, $5, now())`,
      [video, anna.channelId, uuidOf(id), `sources/${video}`, prefix],
    );
    const address = `${server.address}/${prefix}`;
    return { id, master: `${address}master.m3u8`, manifest: `${address}manifest.mpd` };
  }
  const get = async (address: string) => fetch(address.replace('http://reelgraph.test', server.address));
  const create = async (id: string, input: object) =>
    (await api.ok(anna, CREATE, { id, input: { language: 'en', text: SRT, ...input } })).createContentCaptions.captions;

  it('appear in the stream immediately, and at their own addresses', async () => {
    const { id, master } = await videoId();
    assert.equal(await (await get(master)).text(), MASTER);
    const { result, roundTrips } = await api.counted(() =>
      create(id, { kind: 'CAPTIONS', isDefault: true, label: 'English' }),
    );
    assert.equal(roundTrips, 1);
    const { vtt, srt, id: _, ...facts } = result;
    assert.deepEqual(facts, {
      language: 'en',
      label: 'English',
      kind: 'CAPTIONS',
      isDefault: true,
      isForced: false,
      version: 1,
    });
    const file = await get(vtt);
    assert.deepEqual(
      [file.status, file.headers.get('content-type'), file.headers.get('cache-control')],
      [200, 'text/vtt; charset=utf-8', 'public, max-age=31536000, s-maxage=60, immutable'],
    );
    assert.match(await file.text(), /^WEBVTT\n[\s\S]*00:00:01\.000 --> 00:00:02\.000\nHello\n/);
    assert.equal(await (await get(srt)).text(), SRT);

    const response = await get(master);
    assert.equal(response.headers.get('cache-control'), 'public, max-age=60');
    const text = await response.text();
    const line = text.split('\n').find((each) => each.includes('"English (2)"')) ?? '';
    assert.match(line, /^#EXT-X-MEDIA:TYPE=SUBTITLES,.*LANGUAGE="en".*DEFAULT=YES/);
    assert.equal(text.match(/SUBTITLES="subs"/g)?.length, 1);
    const playlist = new URL(/URI="([^"]+)"/.exec(line)?.[1] ?? '', master).href;
    const media = await (await get(playlist)).text();
    const segment = media.split('\n').find((each) => each.endsWith('.vtt')) ?? '';
    assert.equal(new URL(segment, playlist).pathname, new URL(vtt).pathname);
    const etag = response.headers.get('etag') ?? '';
    assert.equal((await fetch(master, { headers: { 'if-none-match': etag } })).status, 304);
    assert.equal(
      (await fetch(master, { method: 'HEAD' })).headers.get('content-length'),
      String(Buffer.byteLength(text)),
    );
  });

  it('appear in the DASH manifest immediately, with their own addresses', async () => {
    const { id, manifest } = await videoId();
    const stored = await get(manifest);
    assert.equal(stored.headers.get('cache-control'), 'public, max-age=60');
    assert.equal(await stored.text(), MANIFEST);
    const { vtt } = await create(id, { kind: 'CAPTIONS', isDefault: true, label: 'R&D <"Lab">' });
    const response = await get(manifest);
    assert.deepEqual(
      [response.headers.get('content-type'), response.headers.get('cache-control')],
      ['application/dash+xml', 'public, max-age=60'],
    );
    const text = await response.text();
    const [set = ''] = / {4}<AdaptationSet contentType="text"[\s\S]*?<\/AdaptationSet>\n/.exec(text) ?? [];
    assert.equal(text.replace(set, ''), MANIFEST);
    const file = /<BaseURL>(.*)<\/BaseURL>/.exec(set)?.[1] ?? '';
    assert.equal(new URL(file, manifest).pathname, new URL(vtt).pathname);
    const bandwidth = Math.ceil((8 * (await (await get(vtt)).bytes()).length) / 5);
    assert.deepEqual(
      [...set.matchAll(/lang="en"|<Label>.*<\/Label>|value="\w+"|bandwidth="\d+"/g)].map(([part]) => part),
      [
        'lang="en"',
        '<Label>R&amp;D &lt;&quot;Lab&quot;&gt;</Label>',
        'value="caption"',
        'value="main"',
        `bandwidth="${bandwidth}"`,
      ],
    );
  });

  it('change their address with their text, and can be removed', async () => {
    const { id, master } = await videoId();
    const created = await create(id, {});
    assert.equal(created.label, 'English');
    const { captions: changed } = (
      await api.ok(anna, UPDATE, {
        id: created.id,
        input: { text: SRT.replace('Hello', 'Bye'), label: 'Mine' },
      })
    ).updateContentCaptions;
    assert.equal((await get(created.vtt)).status, 404);
    assert.match(await (await get(changed.vtt)).text(), /Bye/);
    assert.match(await (await get(master)).text(), /NAME="Mine"/);
    assert.deepEqual(await api.ok(anna, DELETE, { id: created.id }), { deleteContentCaptions: { id: created.id } });
    assert.equal((await get(changed.vtt)).status, 404);
    assert.equal(await (await get(master)).text(), MASTER);
    assert.equal((await api.refused(anna, DELETE, { id: created.id })).code, 'RESOURCE_NOT_FOUND');
    const events = await api.rows(`select type from events where subject_id = $1 and type = 'captions.updated'`, [
      uuidOf(id),
    ]);
    assert.equal(events.length, 3);
  });

  it('are not changed from a text that was replaced', async () => {
    const { id } = await videoId();
    const created = await create(id, {});
    const change = (input: object) => ({ id: created.id, input });
    const rewrite = (text: string, ifVersion: number) => change({ text: SRT.replace('Hello', text), ifVersion });
    assert.equal(created.version, 1);
    const { captions: second } = (await api.ok(anna, UPDATE, rewrite('First', 1))).updateContentCaptions;
    assert.equal(second.version, 2);
    const before = await api.rows('select * from captions where content_id = $1', [uuidOf(id)]);
    const { code, field } = await api.refused(anna, UPDATE, rewrite('Second', 1));
    assert.deepEqual([code, field], ['INVALID_INPUT', 'input.ifVersion']);
    assert.deepEqual(await api.rows('select * from captions where content_id = $1', [uuidOf(id)]), before);
    const { captions: renamed } = (await api.ok(anna, UPDATE, change({ label: 'Mine', ifVersion: 2 })))
      .updateContentCaptions;
    assert.equal(renamed.version, 2, 'only another text is another version');
  });

  it('have a waveform to be edited by, for members who edit them', async () => {
    const { id } = await videoId();
    const waveform = 'query ($id: DID!) { content(id: $id) { waveform { status millisecondsPerPair pairs } } }';
    const read = async (who: Person) => (await api.ok(who, waveform, { id })).content.waveform;
    assert.equal(await read(anna), null);
    const request = 'mutation ($id: DID!) { createContentWaveform(id: $id) { content { id } } }';
    const { code, message } = await api.refused(anna, request, { id });
    assert.deepEqual([code, message], ['INVALID_INPUT', 'This content has no processed video.']);
    await api.rows('insert into waveforms (id) select id from video_assets where content_id = $1', [uuidOf(id)]);
    assert.deepEqual(await read(anna), { status: 'QUEUED', millisecondsPerPair: null, pairs: null });
    await api.rows(`update waveforms set milliseconds_per_pair = 50, pairs = decode(repeat('80ff7f00', 30), 'hex')`);
    const ready = await read(anna);
    assert.deepEqual([ready.status, ready.millisecondsPerPair], ['READY', 50]);
    assert.equal(ready.pairs, Buffer.from('80ff7f00'.repeat(30), 'hex').toString('base64'));
    assert.equal(await read(bert), null);
  });

  it('are listed in the order they were added, with an exact count, in one statement; one is the default', async () => {
    const { id } = await videoId();
    const ids: string[] = [];
    for (const language of ['en', 'fr', 'pt-BR']) {
      api.clock.advance(10);
      ids.push((await create(id, { language, isDefault: true })).id);
    }
    type Page = { edges: { node: { id: string; isDefault: boolean } }[] };
    const idsOf = (page: Page) => page.edges.map(({ node }) => node.id);
    const { result, statements } = await api.counted(
      async () => (await api.ok(bert, LIST, { id, first: 2 })).content.captions,
    );
    assert.deepEqual([statements, result.totalCount, idsOf(result)], [1, 3, ids.slice(0, 2)]);
    const next = (await api.ok(bert, LIST, { id, first: 2, after: result.pageInfo.endCursor })).content.captions;
    assert.deepEqual(
      next.edges.map(({ node }: Page['edges'][number]) => [node.id, node.isDefault]),
      [[ids[2], true]],
    );
    const back = (await api.ok(bert, LIST, { id, last: 1, before: next.pageInfo.startCursor })).content.captions;
    assert.deepEqual([idsOf(back), back.edges[0].node.isDefault], [[ids[1]], false]);
  });

  it('are forced at most once in a language', async () => {
    const { id, master } = await videoId();
    const forced = async () =>
      (await api.ok(bert, LIST, { id })).content.captions.edges.map(
        ({ node }: { node: { language: string; isForced: boolean } }) => `${node.language} ${node.isForced}`,
      );
    const { id: first } = await create(id, { isForced: true, isDefault: true });
    api.clock.advance(10);
    await create(id, { language: 'fr', isForced: true });
    api.clock.advance(10);
    const { id: third } = await create(id, { isForced: true, label: 'Signs' });
    assert.deepEqual(await forced(), ['en false', 'fr true', 'en true']);
    assert.match(await (await get(master)).text(), /NAME="Signs",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=YES,/);
    const update = (captions: string, input: object) => api.ok(anna, UPDATE, { id: captions, input });
    await update(first, { isForced: true, isDefault: false });
    assert.deepEqual(await forced(), ['en true', 'fr true', 'en false']);
    await update(first, { language: 'fr' });
    assert.deepEqual(await forced(), ['fr true', 'fr false', 'en false']);
    await update(third, { label: 'Other' });
    await update(first, { isForced: false });
    assert.deepEqual(await forced(), ['fr false', 'fr false', 'en false']);
  });

  it('are not forced as descriptions, whichever is set first', async () => {
    const { id } = await videoId();
    const refused = async (document: string, variables: Record<string, unknown>) => {
      const changed = await tablesChanged(api.platform.db, async () => {
        const error = await api.refused(anna, document, variables);
        assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'input.isForced']);
      });
      assert.deepEqual(changed, []);
    };
    const DESCRIPTIONS = { kind: 'DESCRIPTIONS' };
    await refused(CREATE, { id, input: { language: 'en', text: SRT, ...DESCRIPTIONS, isForced: true } });
    const forced = await create(id, { isForced: true });
    await refused(UPDATE, { id: forced.id, input: DESCRIPTIONS });
    const described = await create(id, DESCRIPTIONS);
    await refused(UPDATE, { id: described.id, input: { isForced: true } });
    await api.ok(anna, UPDATE, { id: described.id, input: { isForced: true, kind: 'SUBTITLES' } });
  });

  const bad: [string, object, string, RegExp][] = [
    ['a file that is none', { text: 'Dear diary' }, 'input.text', /^Line 1: /],
    [
      'a cue that ends before it begins',
      { text: `${SRT}\n2\n00:00:05,000 --> 00:00:04,000\nHo\n` },
      'input.text',
      /^Line 6: /,
    ],
    ['a control character', { text: `${SRT}\u0007` }, 'input.text', /control/],
    ['too much text', { text: SRT + 'x'.repeat(600_000) }, 'input.text', /524288/],
    ['a language that is none', { language: 'English' }, 'input.language', /BCP 47/],
    ['a label of 81 characters', { label: 'x'.repeat(81) }, 'input.label', /80/],
  ];
  for (const [name, input, field, message] of bad) {
    it(`refuse ${name}`, async () => {
      const { id } = await videoId();
      const error = await api.refused(anna, CREATE, { id, input: { language: 'en', text: SRT, ...input } });
      assert.deepEqual([error.code, error.field], ['INVALID_INPUT', field]);
      assert.match(error.message, message);
      assert.deepEqual((await api.ok(anna, LIST, { id })).content.captions.totalCount, 0);
    });
  }

  for (const name of ['language', 'label', 'kind', 'isDefault', 'isForced', 'text']) {
    it(`refuse null for ${name}, without a change`, async () => {
      const { id } = await create((await videoId()).id, {});
      const row = () => api.row('select * from captions where id = $1', [uuidOf(id)]);
      const before = await row();
      const error = await api.refused(anna, UPDATE, { id, input: { label: 'changed', [name]: null } });
      assert.deepEqual([error.code, error.field], ['FIELD_REQUIRED', `input.${name}`]);
      assert.deepEqual(await row(), before);
    });
  }

  it('are read only for those who may write them, where they are long', async () => {
    const { id } = await videoId();
    const created = await create(id, {});
    const newlines = { text: '\n'.repeat(500_000) };
    const changed = await tablesChanged(api.platform.db, async () => {
      // Whoever may write learns what is wrong with the file, all others that they may not.
      const refused = await api.refused(anna, CREATE, { id, input: { language: 'en', ...newlines } });
      assert.deepEqual([refused.code, refused.field], ['INVALID_INPUT', 'input.text']);
      assert.match(refused.message, /^Line 1: There is no cue/);
      assert.equal((await api.refused(anna, UPDATE, { id: created.id, input: newlines })).code, 'INVALID_INPUT');
      for (const [document, target, input] of [
        [CREATE, id, { language: 'en', ...newlines }],
        [UPDATE, created.id, newlines],
      ] as const)
        assert.equal((await api.refused(bert, document, { id: target, input })).code, 'UNAUTHORIZED');
    });
    assert.deepEqual(changed, []);
  });

  it('may be long, in all formats', async () => {
    const { id } = await videoId();
    const text = Array.from({ length: 1_000 }, (_, n) => {
      const at = `00:${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`;
      return `${at}.000 --> ${at}.900\nLine ${n}\n`;
    }).join('\n');
    const { vtt, srt } = await create(id, { text: `WEBVTT\n\n${text}` });
    assert.equal(await (await get(vtt)).text(), `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n${text}`);
    assert.match(await (await get(srt)).text(), /\n1000\n00:16:39,000 --> 00:16:39,900\nLine 999\n$/);
  });

  it('require permission to upload to the channel', async () => {
    const { id } = await videoId();
    const created = await create(id, {});
    const draft = await api.content(anna);
    const hidden = (await create(draft, {})).id;
    const input = { language: 'en', text: SRT };
    assert.equal((await api.refused(bert, CREATE, { id, input })).code, 'UNAUTHORIZED');
    assert.equal((await api.refused(bert, CREATE, { id: draft, input })).code, 'RESOURCE_NOT_FOUND');
    for (const [document, variables] of [
      [UPDATE, { input: { label: 'Mine' } }],
      [DELETE, {}],
    ] as const) {
      assert.equal((await api.refused(bert, document, { id: created.id, ...variables })).code, 'UNAUTHORIZED');
      const missing = await api.refused(bert, document, {
        id: `did:reelgraph:asset/captions/${newId()}`,
        ...variables,
      });
      assert.deepEqual(await api.refused(bert, document, { id: hidden, ...variables }), missing);
      assert.equal((await api.refused(null, document, { id: created.id, ...variables })).code, 'UNAUTHENTICATED');
    }
    const node = 'query ($id: DID!) { node(id: $id) { id } }';
    assert.deepEqual(
      [(await api.ok(bert, node, { id: created.id })).node, (await api.ok(bert, node, { id: hidden })).node],
      [{ id: created.id }, null],
    );
    const { count } = await api.row<{ count: number }>(
      'select count(*)::int as count from captions where id = any($1)',
      [[uuidOf(created.id), uuidOf(hidden)]],
    );
    assert.equal(count, 2);
  });
});
