import { PERSONS_BROWSER, startBrowser } from '../../e2e/support/browser.ts';
import { makeFlashClip } from '../../e2e/support/clips.ts';
import type { Owner } from '../../e2e/support/live/broadcasts.ts';
import { type Watched, watchSender } from '../../e2e/support/live/pairs.ts';
import { PLAYERS, type PlayerName } from '../../e2e/support/live/players.ts';
import { SENDERS, type SenderName } from '../../e2e/support/live/senders.ts';
import { playersPage } from '../../e2e/support/players-page.ts';
import { buildWeb, ensureBrowser, ensureEncoders } from '../../scripts/prerequisites.mjs';
import { serveAssetRoutes } from '../../server/src/domains/assets/testing.ts';
import { table } from '../results.ts';

/** Of the sound from its picture. */
const GOAL_APART_MS = 40;
/** Of a sender, whose players watch one after the other. */
const CLIP_SECONDS = 300;

/**
 * Has each sender publish to each player for so many seconds: how long the first picture takes, how far its sound is
 * from its pictures, and how often playback stalls. Sender, server and browser share the machine.
 */
export async function measurePairs(owner: Owner, folder: string, seconds: number): Promise<boolean> {
  ensureBrowser();
  ensureEncoders();
  buildWeb();
  const site = await serveAssetRoutes(playersPage());
  const browser = await startBrowser(PERSONS_BROWSER);
  const stage = {
    owner,
    browser,
    folder,
    site: site.address,
    clip: makeFlashClip(folder, 'flashes.mkv', CLIP_SECONDS),
  };
  // Their own keys.
  const [senders, players] = [Object.keys(SENDERS) as SenderName[], Object.keys(PLAYERS) as PlayerName[]];
  const rows: string[][] = [['sender', 'player', 'first picture', 'sound after picture', 'stalls', 'seconds played']];
  let areReached = true;
  try {
    for (const sender of senders) {
      const watched = await watchSender(stage, sender, players, seconds);
      for (const [player, shown] of Object.entries(watched)) {
        rows.push([sender, player, ...cellsOf(shown)]);
        areReached &&= isReached(shown);
      }
    }
  } finally {
    console.log(table(rows));
    await browser.close();
    await site.close();
  }
  return areReached;
}

function cellsOf({ startMs, soundLateMs, stalls, flashes }: Watched): string[] {
  return [`${(startMs / 1_000).toFixed(2)} s`, `${soundLateMs.toFixed(0)} ms`, `${stalls}`, `${flashes}`];
}

function isReached({ soundLateMs, stalls }: Watched): boolean {
  return Math.abs(soundLateMs) <= GOAL_APART_MS && stalls === 0;
}
