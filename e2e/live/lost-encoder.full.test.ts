import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../server/src/testing/until.ts';
import { encoders } from '../support/encoder.ts';
import { createTarget, inputState, untilInput, untilLive, untilRecorded } from '../support/live/broadcasts.ts';
import { announced, countPictures } from '../support/live/playlists.ts';
import { sharedStage } from '../support/stage.ts';
import { callApi, play } from '../support/steps.ts';

/** An encoder that is gone for 45 seconds, of the minute for which a broadcast waits. */
const stage = sharedStage();
const publish = encoders();

const GONE_MS = 45_000;
const PICTURES_A_SECOND = 25;
const STREAMS = 'query ($id: DID!) { contents(filter: { channel: $id }) { edges { node { id } } } }';

test('a player resumes by itself, and one recording has everything that arrived', async (t) => {
  const { key, channelId } = await stage.account();
  const owner = { baseUrl: stage.baseUrl, key };
  const target = await createTarget(owner);
  const first = publish(target.rtmp, target.streamKey);
  const stream = await untilLive(owner, target);
  const playlist = async () => (await fetch(stream.hls.replace('master.m3u8', 'live/video/index.m3u8'))).text();
  const { page, context, errors } = await stage.visitor();
  const time = (): Promise<number> => page.evaluate("document.querySelector('video').currentTime");
  await page.goto(stream.url);
  await play(page);

  let before = { segments: 0, parts: 0 };
  const hasParts = async () => {
    before = announced(await playlist());
    return before.segments >= 8 && before.parts >= 0.9;
  };
  await until(hasParts, 'there are no parts');
  first.kill();
  const lostAt = performance.now();
  await untilInput(owner, target, 'RECONNECTING');
  const kept = announced(await playlist()).segments;
  assert.ok(kept >= before.segments + before.parts - 0.001, `${kept} of ${before.segments + before.parts} s`);
  await until(() => performance.now() > lostAt + GONE_MS, 'time goes on');
  const stoodAt = await time();
  assert.ok(stoodAt > kept - 1, `it plays what has arrived: at ${stoodAt} of ${kept} s`);
  assert.equal(await page.getByRole('alert').count(), 0);
  assert.equal((await inputState(owner, target)).state, 'RECONNECTING');

  const second = publish(target.rtmp, target.streamKey);
  const resumed = until(async () => (await time()) > stoodAt + 5, 'playback did not go on', 60_000);
  await untilInput(owner, target, 'LIVE');
  assert.equal((await inputState(owner, target)).stream?.id, stream.id);
  t.diagnostic(`resumed ${Math.round(await resumed)} ms after the encoder`);
  second.stop();
  await second.ended;

  const { missingMs } = await untilRecorded(owner, stream);
  const { segments } = announced(await playlist());
  assert.equal(missingMs, 0);
  assert.ok(Math.abs(announced((await playlist()).split('#EXT-X-DISCONTINUITY')[0] ?? '').segments - kept) < 0.001);
  assert.equal(await countPictures(stream.hls), Math.round(PICTURES_A_SECOND * segments));
  type Streams = { contents: { edges: { node: { id: string } }[] } };
  const { contents } = await callApi<Streams>(owner.baseUrl, key, STREAMS, { id: channelId });
  assert.deepEqual(
    contents.edges.map(({ node }) => node.id),
    [stream.id],
  );
  assert.deepEqual(errors, []);
  await context.close();
});
