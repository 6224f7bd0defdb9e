import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { mediaAddress } from '../../server/src/domains/assets/media-address.ts';
import { serveAssetRoutes } from '../../server/src/domains/assets/testing.ts';
import { mediaRoutes } from '../../server/src/domains/delivery/media.routes.ts';
import { encodeClaimedChunk } from '../../server/src/domains/transcode/encoding/encode-chunk.ts';
import {
  openTestProcessing,
  type TestProcessing,
} from '../../server/src/domains/transcode/encoding/processing.fixture.ts';
import { claimSegment } from '../../server/src/domains/transcode/plans/encode-chunks.store.ts';
import { wantSegment } from '../../server/src/domains/transcode/plans/on-demand.store.ts';
import { makePlayable } from '../../server/src/domains/transcode/playable/make-playable.handler.ts';
import { LocalSources } from '../../server/src/domains/transcode/sources/local-sources.ts';
import { sql } from '../../server/src/platform/db/statement.ts';
import { startBrowser } from '../support/browser.ts';
import {
  COUNTER,
  makeCounterClip,
  makeForeignCounterClip,
  makeLongGroupsClip,
  makeVariableCounterClip,
} from '../support/clips.ts';
import { playersPage } from '../support/players-page.ts';

/** What integrators play our manifests with: each shows every frame at its time, and its sound within 40 ms. */
const SECONDS = 12;
/** More than players load ahead. */
const LONG_SECONDS = 40;
/**
 * Of a variable rate, around its gap, and not beside other missing pictures: MP4 has the durations of pictures in their
 * order of decoding, by which Chromium chooses the picture after a seek.
 */
const VARIABLE_FRAMES = [0, 1, 69, 70, 111, 112, 125, 126, 139, 140, 195, 196, 286, 287];
/** Around the keyframes with which segments begin, at 5.12 and 10.24 s. */
const FRAMES: readonly number[] = [0, 1, 63, 126, 127, 128, 129, 200, 254, 255, 256, 257, 290];

const RUN = { signal: new AbortController().signal, attempt: 1, background: false };

/** Player and manifest. */
const PLAYERS = {
  'hls.js': ['hls', 'master.m3u8'],
  'Shaka Player with HLS': ['shaka', 'master.m3u8'],
  'Shaka Player with DASH': ['shaka', 'manifest.mpd'],
  'dash.js': ['dash', 'manifest.mpd'],
  'Chromium itself': ['native', 'master.m3u8'],
} as const;

describe('players', { timeout: 900_000 }, () => {
  let fixture: TestProcessing;
  let server: { address: string; close(): Promise<void> };
  let browser: Browser;
  const states: Record<string, string> = {};
  before(async () => {
    fixture = await openTestProcessing({ work: false, instant: true });
    server = await serveAssetRoutes([...mediaRoutes(fixture.platform), ...playersPage()]);
    browser = await startBrowser();
    const folder = fixture.platform.config.DATA_DIR;
    const standard = await readFile(makeCounterClip(folder, 'counter.mp4', SECONDS));
    const foreign = await readFile(makeForeignCounterClip(folder, 'foreign.mkv', SECONDS));
    const instant = await upload(standard);
    await makePlayable(fixture, instant.assetId, RUN);
    states['as it was uploaded'] = instant.manifests;
    const complete = await upload(standard);
    await makePlayable(fixture, complete.assetId, RUN);
    await fixture.process(complete.jobId);
    states['encoded, and as it was uploaded'] = complete.manifests;
    states['segment by segment'] = await onDemand(foreign);
    const variable = await upload(await readFile(makeVariableCounterClip(folder, 'variable.mp4', SECONDS)));
    await makePlayable(fixture, variable.assetId, RUN);
    await fixture.process(variable.jobId);
    states['of a variable rate'] = variable.manifests;
    states['in three codecs'] = await inCodecs(await readFile(makeCounterClip(folder, 'large.mp4', SECONDS, 3)));
  });
  after(async () => {
    await browser?.close();
    await server.close();
    await fixture.close();
  });

  async function upload(bytes: Buffer) {
    const video = await fixture.upload(bytes);
    const jobId = await fixture.submit(video.contentId);
    return { ...video, jobId, manifests: `media/${video.contentId}/${video.assetId}/` };
  }
  async function onDemand(bytes: Buffer): Promise<string> {
    const { jobId, manifests } = await upload(bytes);
    await fixture.process(jobId, fixture.platform, 'plan');
    const sources = new LocalSources(fixture.platform.store);
    for (const number of [0, 1, 2]) {
      await wantSegment(fixture.platform.db, jobId, number);
      const next = (await claimSegment(fixture.platform.db)) ?? assert.fail('no segment is wanted');
      await encodeClaimedChunk({ platform: fixture.platform, runner: fixture.runner, sources }, next, RUN);
    }
    sources.close();
    return manifests;
  }
  async function inCodecs(bytes: Buffer): Promise<string> {
    const { jobId, assetId, channelId, manifests } = await upload(bytes);
    const { db } = fixture.platform;
    await db.run(sql('ask_for_codecs', 'update channels set encode_av1 = true, encode_hevc = true where id = $1'), [
      channelId,
    ]);
    await fixture.process(jobId);
    const codecs = sql('codec_jobs', 'select id from transcode_jobs where video_asset_id = $1 and codec is not null');
    for (const { id } of await db.run<{ id: string }>(codecs, [assetId])) await fixture.process(id);
    return manifests;
  }
  const addressOf = (key: string) => {
    const { secrets, clock } = fixture.platform;
    return mediaAddress({ baseUrl: server.address, secrets, nowMs: clock.now() }, key, false);
  };

  /** A page of the players, with the folders of segments that it requests, as `folderOf` finds them in addresses. */
  async function openLab(folderOf: RegExp) {
    const page = await browser.newPage();
    const requested = new Set<string>();
    const failed: string[] = [];
    page.on('request', (request) => {
      const [, folder] = folderOf.exec(request.url()) ?? [];
      if (folder) requested.add(folder);
    });
    page.on('requestfailed', (request) => void failed.push(`${request.url()}: ${request.failure()?.errorText}`));
    await page.goto(`${server.address}/page`);
    await page.waitForFunction('globalThis.lab');
    assert.deepEqual(failed, [], 'scripts of the page were not loaded');
    const lab = <Result>(call: string, ...args: readonly unknown[]): Promise<Result> =>
      page.evaluate(`lab.${call}(...${JSON.stringify(args)})`);
    return { page, lab, requested, [Symbol.asyncDispose]: () => page.close() };
  }

  for (const [state, qualities, asked] of [
    ['as it was uploaded', 1, FRAMES],
    ['segment by segment', 1, FRAMES],
    ['encoded, and as it was uploaded', 2, FRAMES],
    ['of a variable rate', 1, VARIABLE_FRAMES],
  ] as const)
    for (const [name, [player, manifest]] of Object.entries(PLAYERS))
      it(`${name} plays a video ${state}`, () =>
        unlessStalled(async () => {
          await using opened = await openLab(/\/([^/]+)\/v[^/]+\/[^/]+\.m4s$/);
          const { page, lab, requested } = opened;
          // Sound is allowed after a click.
          await page.locator('body').click();
          const known = await lab<number>('open', player, addressOf(`${states[state]}${manifest}`));
          assert.equal(known, player === 'native' ? 1 : qualities);

          for (let quality = 0; quality < known; quality += 1) {
            await lab('choose', quality, true);
            assertFrames(await lab('framesAt', COUNTER, asked), asked);
          }
          const choices =
            known > 1
              ? [
                  [0.5, 0],
                  [3, 1],
                  [7, 0],
                ]
              : [];
          const played = await lab<Played>('playThrough', COUNTER, choices);
          assertPlayed(played, SECONDS);
          if (known > 1) assert.equal(requested.size, known);
          // Of both qualities, as they were played.
          assertFrames(await lab('framesAt', COUNTER, asked), asked);
          assert.deepEqual(await page.evaluate('lab.errors'), []);
        }));

  it('Shaka Player with HLS waits for a segment that comes late, sound and picture together', () =>
    unlessStalled(async () => {
      await using opened = await openLab(/\/([^/]+)\/v[^/]+\/[^/]+\.m4s$/);
      const { page, lab } = opened;
      await page.locator('body').click();
      const [player, manifest] = PLAYERS['Shaka Player with HLS'];
      await lab('open', player, addressOf(`${states['segment by segment']}${manifest}`));
      let isLate = false;
      const waits = `new Promise((done) => document.querySelector('video').addEventListener('waiting', done))`;
      await page.route(/\/seg-00002\.m4s/, async (route) => {
        if (!isLate) await page.evaluate(waits);
        isLate = true;
        await route.continue();
      });
      assertPlayed(await lab<Played>('playThrough', COUNTER, []), SECONDS);
      assert.ok(isLate, 'the last segment was loaded before');
      assert.deepEqual(await page.evaluate('lab.errors'), []);
    }));

  for (const name of ['hls.js', 'dash.js'] as const)
    it(`${name} plays a copy with a keyframe every ten seconds on, after it was replaced`, async () => {
      const [player, manifest] = PLAYERS[name];
      const { platform } = fixture;
      const clip = makeLongGroupsClip(platform.config.DATA_DIR, 'groups.mp4', LONG_SECONDS);
      const video = await upload(await readFile(clip));
      await makePlayable(fixture, video.assetId, RUN);
      await fixture.process(video.jobId, platform, 'chunks');
      await using opened = await openLab(/\/([^/]+\/v[^/]+\/[^/]+)\.m4s$/);
      const { page, lab, requested } = opened;
      await page.locator('body').click();
      assert.equal(await lab<number>('open', player, addressOf(`${video.manifests}${manifest}`)), 1);
      // It stands still within the first segment meanwhile: however fast the machine is, the last one is loaded later.
      await lab('framesAt', COUNTER, [0, 50]);
      await fixture.process(video.jobId);
      assert.ok(!requested.has('copy-1/video/4'), 'the last segment was loaded before');
      assertPlayed(await lab<Played>('playThrough', COUNTER, []), LONG_SECONDS);
      assert.deepEqual(
        [...requested].sort(),
        [1, 2, 3, 4].map((segment) => `copy-1/video/${segment}`),
      );

      const qualities = await lab<number>('open', player, addressOf(`${video.manifests}${manifest}`));
      assert.equal(qualities, 1);
      requested.clear();
      // Around keyframes of the copy, and of what was encoded.
      const frames = [0, 1, 49, 50, 51, 99, 100, 249, 250, 251, 25 * LONG_SECONDS - 1];
      for (const [expected, shown] of await lab<[number, number][]>('framesAt', COUNTER, frames))
        assert.equal(shown, expected);
      assert.ok(
        [...requested].every((path) => !path.startsWith('copy-')),
        [...requested].join(' '),
      );
      assert.deepEqual(await page.evaluate('lab.errors'), []);
    });

  // Chromium itself cannot change the codec, and gets H.264 only.
  for (const [name, [player, manifest]] of Object.entries(PLAYERS))
    it(`${name} plays a video in three codecs, in one that Chromium decodes`, async () => {
      await using opened = await openLab(/\/([^/]+\/v[^/]+)\/[^/]+\.m4s$/);
      const { page, lab, requested } = opened;
      await lab('open', player, addressOf(`${states['in three codecs']}${manifest}`));
      assertFrames(await lab('framesAt', COUNTER, FRAMES));
      const master = await (await fetch(addressOf(`${states['in three codecs']}master.m3u8`))).text();
      const codecs = [...requested].map((folder) => new RegExp(`CODECS="(....).*\n${folder}/`).exec(master)?.[1]);
      // Shaka Player reads a segment of the first variant of an HLS playlist before it chooses.
      assert.match(codecs.at(-1) ?? '', /^(av01|avc1)$/, codecs.join(' '));
      assert.deepEqual(await page.evaluate('lab.errors'), []);
    });
});

/**
 * Repeats a playback that stalled once: Chromium's sound output may stop for good where the machine pauses, and the
 * video with it.
 */
async function unlessStalled(play: () => Promise<void>): Promise<void> {
  try {
    await play();
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('the video stalled'))) throw error;
    await play();
  }
}

/** Frames as they were due and shown, and when beeps were heard. */
interface Played {
  readonly frames: readonly (readonly [number, number])[];
  readonly beeps: readonly number[];
}

function assertPlayed({ frames, beeps }: Played, seconds: number): void {
  // A busy page reads the picture of a frame when the next one is shown.
  const late = frames.map(([expected, shown]) => shown - expected);
  assert.ok(late.length > 12 * seconds && Math.min(...late) === 0, late.join(' '));
  assert.ok(late.filter((by) => by === 0).length > late.length / 2, late.join(' '));
  // The beep at 0 is told from silence only where playback starts so slowly that there is enough before it.
  const later = beeps.filter((beep) => beep > 0.5);
  assert.equal(later.length, seconds - 1, `beeps at ${beeps.join(' ')}`);
  // On a busy machine the clock starts later than the sound, and follows it from the second beep on; one more may be
  // noticed late. A gap would move all that follow.
  const off = later.map((beep, index) => Math.abs(beep - (index + 1)));
  assert.ok(Math.max(...off) < 0.2, `beeps at ${beeps.join(' ')}`);
  assert.ok(off.slice(1).filter((by) => by >= 0.04).length <= 1, `beeps at ${beeps.join(' ')}`);
}

function assertFrames(shown: readonly (readonly [number, number])[], asked = FRAMES): void {
  for (const [expected, number] of shown) assert.equal(number, expected, shown.join(' '));
  assert.deepEqual(
    shown.map(([expected]) => expected),
    asked,
  );
}
