import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { inputArg, type Runner } from '../../../media/index.ts';
import { openTestRunner } from '../../../media/testing.ts';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { addVideo, makeVideoFile, processUploadedVideo, uploadVideo } from '../contents/videos.fixture.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

const READ = `query ($id: DID!) { content(id: $id) {
  captions { totalCount edges { node { id language label kind isDefault isForced isEmbedded vtt srt } } }
  outputAssets { video { hls dash } subtitles { srt vtt } } } }`;
const CREATE =
  'mutation ($id: DID!, $input: CreateContentCaptionsInput!) { createContentCaptions(id: $id, input: $input) ' +
  '{ captions { id vtt } } }';
const SRT = '1\n00:00:00,100 --> 00:00:00,900\nGrüß <b>Gott</b>\n';
const TEST_VIDEO = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=1'];
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

describe('captions found in a video file', () => {
  let api: TestCatalog;
  let runner: Runner;
  let server: Awaited<ReturnType<typeof serveAssetRoutes>>;
  let anna: Person;
  let id: string;
  const get = (address: string) => fetch(address.replace('http://reelgraph.test', server.address));
  const read = async () => (await api.ok(anna, READ, { id })).content;

  before(async () => {
    api = await openTestCatalog({ jobs: true });
    runner = await openTestRunner();
    server = await serveAssetRoutes(api.domains.media.routes);
    await api.domains.media.startWork();
    await api.domains.media.startMediaWork({ runner, toneMapping: true });
    anna = await api.person('anna');
    const words = join(api.platform.config.DATA_DIR, 'words.srt');
    await writeFile(words, SRT);
    const args = [
      ...TEST_VIDEO,
      '-f',
      'srt',
      '-i',
      inputArg(0),
      ...H264,
      '-c:s',
      'srt',
      '-metadata:s:s:0',
      'language=ger',
      '-disposition:s:0',
      'default+hearing_impaired',
    ];
    id = await uploadVideo(api, anna, await makeVideoFile(runner, api, 'a.mkv', args, [words]));
    await processUploadedVideo(api, anna, id);
  });
  after(async () => {
    await server.close();
    await api.close();
  });

  it('are listed with their own files, and once in the stream', async () => {
    const { captions, outputAssets } = await read();
    const [{ node }] = captions.edges;
    const { id: _, vtt, srt, ...facts } = node;
    assert.deepEqual(
      [captions.totalCount, facts],
      [1, { language: 'de', label: 'Deutsch', kind: 'CAPTIONS', isDefault: true, isForced: false, isEmbedded: true }],
    );
    assert.equal(await (await get(srt)).text(), SRT);
    assert.match(await (await get(vtt)).text(), /^WEBVTT\n[\s\S]*Grüß <b>Gott<\/b>\n/);
    assert.deepEqual(outputAssets.subtitles, { srt, vtt });
    const master = await (await get(outputAssets.video.hls)).text();
    assert.equal(master.match(/TYPE=SUBTITLES.*DEFAULT=YES/g)?.length, 1);
    assert.match(outputAssets.video.dash, /\/media\/s\/[^/]+\//);
    const manifest = await (await get(outputAssets.video.dash)).text();
    const [file = '', ...others] = [...manifest.matchAll(/<BaseURL>(.*)<\/BaseURL>/g)].map(([, path]) => path);
    assert.deepEqual(others, []);
    assert.match(await (await get(new URL(file, outputAssets.video.dash).href)).text(), /Grüß <b>Gott<\/b>/);
  });

  it('cannot be changed or removed', async () => {
    const captions = (await read()).captions.edges[0].node.id;
    const update =
      'mutation ($id: DID!) { updateContentCaptions(id: $id, input: { label: "Mine" }) { captions { id } } }';
    const remove = 'mutation ($id: DID!) { deleteContentCaptions(id: $id) { id } }';
    for (const document of [update, remove]) {
      const error = await api.refused(anna, document, { id: captions });
      assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'id']);
    }
    assert.equal((await read()).captions.edges[0].node.label, 'Deutsch');
  });

  it('are replaced as default by added ones, but not by descriptions', async () => {
    const input = { language: 'en', text: SRT };
    await api.ok(anna, CREATE, { id, input: { ...input, kind: 'DESCRIPTIONS', isDefault: true } });
    assert.match(
      (await read()).outputAssets.subtitles.vtt,
      new RegExp(uuidOf((await read()).captions.edges[0].node.id)),
    );
    const created = (await api.ok(anna, CREATE, { id, input: { ...input, isDefault: true } })).createContentCaptions
      .captions;
    const { captions, outputAssets } = await read();
    assert.deepEqual([captions.totalCount, outputAssets.subtitles.vtt], [3, created.vtt]);
    const master = await (await get(outputAssets.video.hls)).text();
    assert.deepEqual(
      [...master.matchAll(/TYPE=SUBTITLES.*LANGUAGE="(\w+)".*DEFAULT=(\w+)/g)].map((line) => line.slice(1)),
      [
        ['de', 'NO'],
        ['en', 'YES'],
      ],
    );
    assert.deepEqual(
      captions.edges.map(
        ({ node }: { node: { kind: string; isDefault: boolean } }) => `${node.kind} ${node.isDefault}`,
      ),
      ['CAPTIONS false', 'DESCRIPTIONS false', 'SUBTITLES true'],
    );
    const manifest = await (await get(outputAssets.video.dash)).text();
    assert.equal(manifest.match(/contentType="text"/g)?.length, 2);
  });

  it('are forced as in the file, until the creator adds forced ones in their language', THOROUGH, async () => {
    const words = join(api.platform.config.DATA_DIR, 'signs.srt');
    await writeFile(words, SRT);
    const tags = ['-metadata:s:s:0', 'language=ger', '-disposition:s:0', 'forced'];
    const args = [...TEST_VIDEO, '-f', 'srt', '-i', inputArg(0), ...H264, '-c:s', 'srt', ...tags];
    const signs = await uploadVideo(api, anna, await makeVideoFile(runner, api, 'd.mkv', args, [words]));
    await processUploadedVideo(api, anna, signs);
    const state = async () => {
      const { captions, outputAssets } = (await api.ok(anna, READ, { id: signs })).content;
      const master = await (await get(outputAssets.video.hls)).text();
      const manifest = await (await get(outputAssets.video.dash)).text();
      return {
        api: captions.edges.map(
          ({ node }: { node: { language: string; isForced: boolean } }) => `${node.language} ${node.isForced}`,
        ),
        hls: [...master.matchAll(/TYPE=SUBTITLES.*LANGUAGE="(\w+)".*FORCED=(\w+)/g)].map(
          ([, tag, flag]) => `${tag} ${flag}`,
        ),
        dash: [...manifest.matchAll(/value="((?:forced-)?subtitle)"/g)].map(([, role]) => role),
      };
    };
    assert.deepEqual(await state(), { api: ['de true'], hls: ['de YES'], dash: ['forced-subtitle'] });
    await api.ok(anna, CREATE, { id: signs, input: { language: 'en', text: SRT, isForced: true } });
    assert.deepEqual((await state()).hls, ['de YES', 'en YES']);
    await api.ok(anna, CREATE, { id: signs, input: { language: 'de', text: SRT, isForced: true } });
    assert.deepEqual(await state(), {
      api: ['de false', 'en true', 'de true'],
      hls: ['de NO', 'en YES', 'de YES'],
      dash: ['subtitle', 'forced-subtitle', 'forced-subtitle'],
    });
  });

  it('are deleted with their video; added ones stay', THOROUGH, async () => {
    await addVideo(api, anna, id, await makeVideoFile(runner, api, 'b.mp4', [...TEST_VIDEO, ...H264]));
    await processUploadedVideo(api, anna, id);
    const { captions } = await read();
    assert.deepEqual(
      captions.edges.map(({ node }: { node: { isEmbedded: boolean } }) => node.isEmbedded),
      [false, false],
    );
    const bare = await uploadVideo(api, anna, await makeVideoFile(runner, api, 'c.mp4', [...TEST_VIDEO, ...H264]));
    await processUploadedVideo(api, anna, bare);
    const { content } = await api.ok(anna, READ, { id: bare });
    assert.deepEqual([content.captions.totalCount, content.outputAssets.subtitles], [0, null]);
  });
});
