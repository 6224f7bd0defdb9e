import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { until } from '../../server/src/testing/until.ts';
import { COUNTER, makeNoisyCounterClip } from '../support/clips.ts';
import { framesAt, framesPlayed } from '../support/frames.ts';
import { sharedStage } from '../support/stage.ts';
import { callApi, play, publishByProgram, untilPlaying } from '../support/steps.ts';

/** A video in H.264, AV1 and HEVC. Chromium decodes the first two. */
const stage = sharedStage();

const CHANNEL = '{ me { channels(first: 1) { edges { node { channel { id } } } } } }';
const UPDATE =
  'mutation ($id: DID!, $input: UpdateChannelInput!) { updateChannel(id: $id, input: $input) { channel ' +
  '{ encodeAv1 } } }';
const STREAMS = 'query ($id: DID!) { content(id: $id) { status outputAssets { video { hls } } } }';

interface Variant {
  readonly codec: string;
  readonly size: string;
  readonly uri: string;
}

function variantsOf(master: string): Variant[] {
  const found = master.matchAll(/CODECS="(....).*?RESOLUTION=(\d+x\d+).*\n(.*)/g);
  return [...found].map(([, codec = '', size = '', uri = '']) => ({ codec, size, uri }));
}

test('a video gets AV1 and HEVC while it is watched; Chromium then plays AV1, or the source where it is chosen', async () => {
  makeNoisyCounterClip(stage.folder, 'counter.mp4', 10, 3);
  const { page, context, errors, member } = await stage.signedIn();
  const ask = <Data>(query: string, variables: object): Promise<Data> =>
    callApi<Data>(stage.baseUrl, member.key, query, variables);
  const { me } = await ask<{ me: { channels: { edges: { node: { channel: { id: string } } }[] } } }>(CHANNEL, {});
  const input = { encodeAv1: true, encodeHevc: true };
  await ask(UPDATE, { id: me.channels.edges[0]?.node.channel.id, input });
  const video = { title: 'Counter', summary: '', filename: 'counter.mp4' };
  const { id, path } = await publishByProgram(stage, member.key, video);
  const requested: string[] = [];
  page.on('request', (request) => {
    const [, folder] = /\/([^/]+\/v[^/]+)\/[^/]+\.m4s$/.exec(request.url()) ?? [];
    if (folder) requested.push(`${folder}/index.m3u8`);
  });
  await page.goto(path);
  await play(page);

  const state = () => ask<{ content: { status: string; outputAssets: { video: { hls: string } } } }>(STREAMS, { id });
  const { hls } = (await state()).content.outputAssets.video;
  const listed = async () => variantsOf(await (await fetch(hls)).text());
  await until(
    async () => new Set((await listed()).map(({ codec }) => codec)).size === 3,
    () => 'the other codecs are not listed',
  );
  const variants = await listed();
  assert.equal(variants[0]?.codec, 'avc1');
  for (const codec of ['av01', 'hvc1']) {
    const sizes = variants.filter((each) => each.codec === codec).map(({ size }) => size);
    assert.deepEqual(sizes.sort(), ['416x234', '426x240', '640x360', '960x540']);
  }
  assert.equal((await state()).content.status, 'PUBLISHED');
  assert.equal(await page.evaluate("document.querySelector('video').error"), null);

  await page.goto(path);
  requested.length = 0;
  await play(page);
  // The video is short: opening a menu on a busy machine may take as long.
  const restart = () =>
    page.evaluate("(video => { video.currentTime = 0; return video.play(); })(document.querySelector('video'))");
  const qualities = async () => {
    await page.getByRole('button', { name: 'Quality' }).click();
    const shown = await page.getByRole('menuitemradio').allInnerTexts();
    return shown.map((text) => text.split('\n')[0]);
  };
  assert.deepEqual(await qualities(), ['Auto', '540p source', '540p', '360p', '240p', '234p']);
  await restart();
  await page.getByRole('menuitemradio').nth(2).click();
  await untilPlaying(page);
  await page.evaluate("document.querySelector('video').pause()");
  // Around the keyframes with which segments begin, at 4 and 8 s.
  const frames = [0, 1, 49, 50, 99, 100, 101, 150, 199, 200, 201, 240];
  for (const [expected, number] of await framesAt(page, frames)) assert.equal(number, expected);
  await restart();
  const watched = framesPlayed(page, 100);
  await page.getByRole('button', { name: 'Quality' }).click();
  await page.getByRole('menuitemradio').nth(4).click();
  // A busy page reads the picture of a frame when the next one is shown.
  const late = (await watched).map(([expected, shown]) => shown - expected);
  assert.ok(Math.min(...late) === 0 && late.filter((frame) => frame === 0).length > late.length / 2, late.join(' '));
  const codecs = () => [...new Set(requested.map((uri) => variants.find((each) => each.uri === uri)?.codec))];
  assert.deepEqual(codecs(), ['av01']);

  await page.evaluate("document.querySelector('video').pause()");
  await framesAt(page, [0]);
  requested.length = 0;
  await qualities();
  await page.getByRole('menuitemradio').nth(1).click();
  for (const [expected, number] of await framesAt(page, frames)) assert.equal(number, expected, 'in the source');
  assert.ok(requested.length > 0 && requested.every((uri) => uri.startsWith('copy-')), requested.join(' '));
  await framesAt(page, [0]);
  requested.length = 0;
  await qualities();
  await page.getByRole('menuitemradio').nth(0).click();
  for (const [expected, number] of await framesAt(page, frames)) assert.equal(number, expected, 'again in AV1');
  assert.deepEqual(codecs(), ['av01']);
  assert.deepEqual(errors, []);

  // Where AV1 cannot be decoded although the browser says so, H.264 is played.
  const [folder = ''] = variants.find(({ codec }) => codec === 'av01')?.uri.split('/') ?? [];
  await page.route(`**/${folder}/**/*.m4s`, (route) => route.fulfill({ body: Buffer.alloc(20_000, 7) }));
  requested.length = 0;
  await page.goto(path);
  await page.locator('video').waitFor();
  await page.evaluate("void document.querySelector('video').play().catch(() => {})");
  await untilPlaying(page);
  assert.equal(variants.find(({ uri }) => uri === requested.at(-1))?.codec, 'avc1');
  await context.close();

  const hevc = variants.find(({ codec, size }) => codec === 'hvc1' && size === '960x540');
  const { stdout } = await promisify(execFile)('ffprobe', [
    ...['-v', 'error', '-select_streams', 'v', '-count_frames', '-show_entries', 'stream=codec_name,nb_read_frames'],
    ...['-of', 'csv=p=0', new URL(hevc?.uri ?? '', hls).href],
  ]);
  assert.equal(stdout.split('\n')[0], `hevc,${10 * COUNTER.framesPerSecond}`);
});
