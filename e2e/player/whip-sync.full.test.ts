import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../server/src/testing/until.ts';
import { createTarget, untilLive, untilRecorded } from '../support/live/broadcasts.ts';
import { soundLateIn } from '../support/live/pairs.ts';
import { startChromium } from '../support/live/whip-senders.ts';
import { sharedStage } from '../support/stage.ts';

/** What Chromium sends by WHIP: pictures and sound that belong together stay together. */
const stage = sharedStage();

const MOST_APART_MS = 40;

test('what a browser sends keeps its sound with its pictures', async () => {
  const { key } = await stage.account();
  const owner = { baseUrl: stage.baseUrl, key };
  const { whip, streamKey, ...target } = await createTarget(owner, { name: 'Sync' });
  const sender = await startChromium(stage.browser, whip, streamKey);
  const stream = await untilLive(owner, { whip, streamKey, ...target });
  const listed = async () =>
    (await (await fetch(new URL('live/video/index.m3u8', stream.hls))).text()).match(/^seg-/gm)?.length ?? 0;
  await until(async () => (await listed()) >= 6, 'there are no six segments');
  await sender.stop();
  await untilRecorded(owner, stream);
  const late = (await soundLateIn(stream.hls)).slice(1, -1);
  assert.ok(late.length >= 6, late.join(' '));
  for (const each of late) assert.ok(Math.abs(each) <= MOST_APART_MS, late.join(' '));
});
