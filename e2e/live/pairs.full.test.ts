import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { serveAssetRoutes } from '../../server/src/domains/assets/testing.ts';
import { PERSONS_BROWSER, startBrowser } from '../support/browser.ts';
import { makeFlashClip } from '../support/clips.ts';
import { startPlatform } from '../support/harness.ts';
import { encoderSettings } from '../support/live/encoder-settings.ts';
import { type PairsStage, watchSender } from '../support/live/pairs.ts';
import { PLAYERS, type PlayerName } from '../support/live/players.ts';
import { SENDERS, type SenderName } from '../support/live/senders.ts';
import { makeMember } from '../support/members.ts';
import { playersPage } from '../support/players-page.ts';

const SECONDS = 20;
/** Of the sound from its picture. */
const MOST_APART_MS = 40;
/** Of a player that goes on. */
const LONGEST_GAP_MS = 1_500;

/** Each sender with hls.js, and each player with ffmpeg; all pairs are `npm run bench:live -- --all`. */
const PAIRS: readonly (readonly [SenderName, readonly PlayerName[]])[] = [
  ['ffmpeg RTMP', Object.keys(PLAYERS) as PlayerName[]], // its own keys
  ...(Object.keys(SENDERS) as SenderName[])
    .filter((sender) => sender !== 'ffmpeg RTMP')
    .map((sender) => [sender, ['hls.js']] as const),
];

describe('pairs of senders and players', { timeout: 900_000 }, () => {
  const closing: (() => Promise<unknown>)[] = [];
  let stage: PairsStage;
  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reelgraph-pairs-'));
    closing.push(() => rm(folder, { recursive: true, force: true }));
    const platform = await startPlatform(await encoderSettings(folder));
    closing.push(() => platform.stop());
    const browser = await startBrowser(PERSONS_BROWSER);
    closing.push(() => browser.close());
    const site = await serveAssetRoutes(playersPage());
    closing.push(() => site.close());
    const { key } = await makeMember(platform, 'harbour');
    const owner = { baseUrl: platform.baseUrl, key };
    stage = { owner, browser, folder, site: site.address, clip: makeFlashClip(folder, 'flashes.mkv', 180) };
  });
  after(async () => {
    for (const close of closing.toReversed()) await close();
  });

  for (const [sender, players] of PAIRS)
    it(`${sender} with ${players.join(', ')}`, async (t) => {
      const watched = await watchSender(stage, sender, players, SECONDS);
      for (const [player, shown] of Object.entries(watched)) {
        const said = `${player}: ${JSON.stringify(shown)}`;
        t.diagnostic(said);
        assert.ok(shown.flashes >= SECONDS / 2 && shown.beeps >= SECONDS / 2, said);
        assert.ok(shown.lastGapMs < LONGEST_GAP_MS, said);
        assert.ok(Math.abs(shown.soundLateMs) <= MOST_APART_MS, said);
      }
      assert.equal(Object.keys(watched).length, players.length);
    });
});
