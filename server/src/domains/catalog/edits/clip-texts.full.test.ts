import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { captionsText } from '../../../media/index.ts';
import { tablesChanged } from '../../../testing/tables-changed.ts';
import { ReplacementFixture } from '../replacement/replacement.fixture.ts';
import { type Person, uuidOf } from '../testing.ts';

const CREATE = `mutation ($id: DID!, $input: CreateContentCaptionsInput!) {
  createContentCaptions(id: $id, input: $input) { captions { id } } }`;
const CLIP = 'mutation ($input: CreateClipInput!) { createClip(input: $input) { content { id } job { id } } }';
const TEXTS = `query ($id: DID!) { content(id: $id) { chapters { startMs title }
  captions(first: 50) { edges { node {
    language label kind isDefault isForced isEmbedded automaticKind vtt srt } } } } }`;

/** Captions of the source; times in seconds. */
const cues = (...all: [from: number, to: number, text: string][]) =>
  captionsText(all.map(([from, to, text]) => ({ startMs: from * 1000, endMs: to * 1000, text })));

describe('captions and chapters of a clip', { timeout: 240_000 }, () => {
  let fixture: ReplacementFixture;
  let anna: Person;
  let bert: Person;
  let id: string;
  before(async () => {
    fixture = await ReplacementFixture.open();
    [anna, bert] = [await fixture.api.person('anna'), await fixture.api.person('bert')];
    id = await fixture.published(anna, await fixture.clip(36));
  });
  after(() => fixture.close());

  const create = (input: object) => fixture.api.ok(anna, CREATE, { id, input });
  async function textsOf(content: string) {
    const { chapters, captions } = (await fixture.api.ok(anna, TEXTS, { id: content })).content;
    return { chapters, captions: captions.edges.map(({ node }: { node: object }) => node) };
  }
  /** Captions as a worker stores those in the file of the video, or of its speech. */
  async function stored(values: { language: string; automatic?: string; column: string; vtt: string }): Promise<void> {
    const { language, automatic = null, column, vtt } = values;
    await fixture.api.rows(
      `insert into captions (id, channel_id, content_id, language, label, kind, vtt, automatic, created_at, updated_at,
        ${column})
       select $1, v.channel_id, v.content_id, $2, $3, 'SUBTITLES', $4, $5, now(), now(), v.id
       from video_assets v where v.content_id = $6`,
      [newId(), language, `${language} label`, vtt, automatic, uuidOf(id)],
    );
  }
  async function textAt(address: string): Promise<string> {
    const { pathname, search } = new URL(address);
    const response = await fixture.server.fetch(pathname + search);
    assert.equal(response.status, 200);
    return (await response.text()).replace(/\r/g, '').trim();
  }

  it('are those of its range, at its times, in every language and as what they were', async () => {
    await create({
      language: 'en',
      text: cues([0.5, 1.5, 'before'], [1, 4, 'at its start'], [10, 12, 'inside'], [33, 36, 'at its end']),
      ...{ kind: 'CAPTIONS', isDefault: true },
    });
    await create({ language: 'de', label: 'Schilder', text: cues([20, 21, 'Ausgang']), isForced: true });
    await create({ language: 'fr', text: cues([0.2, 1.8, 'avant']) });
    await create({ language: 'en', kind: 'DESCRIPTIONS', text: cues([3, 5, 'a test card']) });
    await stored({ language: 'es', column: 'video_asset_id', vtt: cues([2, 3, 'en el archivo']) });
    await stored({ language: 'ja', automatic: 'SPEECH', column: 'spoken_in', vtt: cues([5, 6, 'spoken']) });
    const chapters = [0, 13, 23].map((seconds) => ({ startMs: seconds * 1000, title: `at ${seconds}` }));
    await fixture.api.rows('update contents set chapters = $2 where id = $1', [uuidOf(id), JSON.stringify(chapters)]);
    const source = await textsOf(id);

    const input = { content: id, startMs: 2000, endMs: 34_000, title: 'Clip' };
    const clip: string = (await fixture.api.ok(anna, CLIP, { input })).createClip.content.id;
    const early = await textsOf(clip);
    assert.equal(early.captions.length, 5, 'they can be edited before the clip is processed');
    assert.deepEqual(await fixture.ended(anna, clip), { status: 'COMPLETE', error: null });

    const made = await textsOf(clip);
    assert.deepEqual(made.chapters, [
      { startMs: 0, title: 'at 0' },
      { startMs: 11_000, title: 'at 13' },
      { startMs: 21_000, title: 'at 23' },
    ]);
    const shown = made.captions.map(({ vtt: _, srt: __, ...facts }: Record<string, unknown>) => facts);
    const plain = { kind: 'SUBTITLES', isDefault: false, isForced: false, isEmbedded: false, automaticKind: null };
    const byLanguage = (a: { language: string; kind: string }, b: { language: string; kind: string }) =>
      `${a.language} ${a.kind}`.localeCompare(`${b.language} ${b.kind}`);
    assert.deepEqual(shown.sort(byLanguage), [
      { ...plain, language: 'de', label: 'Schilder', isForced: true },
      { ...plain, language: 'en', label: 'English', kind: 'CAPTIONS', isDefault: true },
      { ...plain, language: 'en', label: 'English', kind: 'DESCRIPTIONS' },
      { ...plain, language: 'es', label: 'es label' },
      { ...plain, language: 'ja', label: 'ja label (auto-generated)', automaticKind: 'SPEECH' },
    ]);
    const file = (language: string, kind: string, format: 'vtt' | 'srt'): string =>
      made.captions.find((each: Record<string, string>) => each.language === language && each.kind === kind)[format];
    assert.equal(
      await textAt(file('en', 'CAPTIONS', 'srt')),
      '1\n00:00:00,000 --> 00:00:02,000\nat its start\n\n2\n00:00:08,000 --> 00:00:10,000\ninside\n\n' +
        '3\n00:00:31,000 --> 00:00:32,000\nat its end',
    );
    assert.equal(
      await textAt(file('es', 'SUBTITLES', 'vtt')),
      'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n00:00:00.000 --> 00:00:01.000\nen el archivo',
    );
    assert.deepEqual(await textsOf(id), source, 'those of the source are as they were');

    const spoken = await fixture.api.rows<{ spoken: boolean }>(
      `select c.spoken_in = v.id as spoken from captions c join video_assets v on v.content_id = c.content_id
       where c.content_id = $1 and c.automatic = 'SPEECH'`,
      [uuidOf(clip)],
    );
    assert.deepEqual(spoken, [{ spoken: true }], 'they go when the video of the clip is replaced');
    const events = await fixture.api.rows("select 1 from events where type = 'captions.updated' and subject_id = $1", [
      uuidOf(clip),
    ]);
    assert.equal(events.length, 5);
  });

  it('are those of the description where none were set, and none where too few are left', async () => {
    await fixture.api.rows('update contents set chapters = null, summary = $2 where id = $1', [
      uuidOf(id),
      '0:00 One\n0:12 Two\n0:24 Three',
    ]);
    const input = { content: id, title: 'Clip' };
    const clipped = async (startMs: number, endMs: number) =>
      (await fixture.api.ok(anna, CLIP, { input: { ...input, startMs, endMs } })).createClip.content.id;
    const [long, short] = [await clipped(1000, 35_000), await clipped(5000, 30_000)];
    for (const clip of [long, short]) assert.equal((await fixture.ended(anna, clip)).status, 'COMPLETE');
    assert.deepEqual(
      [(await textsOf(long)).chapters, (await textsOf(short)).chapters],
      [
        [
          { startMs: 0, title: 'One' },
          { startMs: 11_000, title: 'Two' },
          { startMs: 23_000, title: 'Three' },
        ],
        [],
      ],
    );
  });

  it('are not read by others', async () => {
    const changed = await tablesChanged(fixture.api.platform.db, async () => {
      const input = { content: id, startMs: 0, endMs: 5000, title: 'Clip' };
      assert.equal((await fixture.api.refused(bert, CLIP, { input })).code, 'UNAUTHORIZED');
    });
    assert.deepEqual(changed, []);
  });
});
