import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AppError } from '../../../kernel/errors.ts';
import { H264, SOUND, SpeechFixture, type SpeechVideo } from '../../enhance/speech/speech.fixture.ts';
import { giveUpWaveform, makeWaveform } from './make-waveform.handler.ts';
import { orderWaveform } from './order-waveform.ts';

interface Row {
  readonly ms: number | null;
  readonly pairs: Buffer | null;
  readonly failed: boolean;
}

describe('the waveform of a video', () => {
  let fixture: SpeechFixture;
  let video: SpeechVideo;
  before(async () => {
    fixture = await SpeechFixture.open();
    video = await fixture.ready(await fixture.clip('waveform.mp4', ...SOUND, ...H264));
  });
  after(() => fixture.close());

  const order = () => {
    const { platform } = fixture.processing;
    return platform.db.transaction((tx) => orderWaveform(fixture.processing.tools(), tx, video.contentId, 'id'));
  };
  const stored = () =>
    fixture.rows<Row>(
      'select milliseconds_per_pair as ms, pairs, failed_at is not null as failed from waveforms where id = $1',
      [video.assetId],
    );
  const queued = async () => (await fixture.rows(`select 1 from pgboss.job where name = 'make-waveform'`)).length;

  it('is ordered once, and again where it failed', async () => {
    await order();
    await order();
    assert.deepEqual([await stored(), await queued()], [[{ ms: null, pairs: null, failed: false }], 1]);
    const { platform } = fixture.processing;
    const wanted = { contentId: video.contentId, videoAssetId: video.assetId };
    await giveUpWaveform(platform, wanted, new AppError('TRANSCODE_FAILED', 'It cannot be decoded.'));
    assert.deepEqual(await stored(), [{ ms: null, pairs: null, failed: true }]);
    await order();
    assert.deepEqual([await stored(), await queued()], [[{ ms: null, pairs: null, failed: false }], 2]);
  });

  it('shows where the sound is', async () => {
    const { platform, runner } = fixture.processing;
    const wanted = { contentId: video.contentId, videoAssetId: video.assetId };
    await makeWaveform({ platform, runner }, wanted, { signal: new AbortController().signal, attempt: 1 });
    const [row] = await stored();
    const levels = new Int8Array(row?.pairs ?? []);
    assert.deepEqual([row?.ms, row?.failed], [50, false]);
    assert.ok(Math.abs(levels.length / 2 - 120) <= 2, `${levels.length / 2} pairs of 6 s`);
    const highest = (fromSecond: number, toSecond: number) =>
      Math.max(...levels.subarray(fromSecond * 40, toSecond * 40));
    const lowest = (fromSecond: number, toSecond: number) =>
      Math.min(...levels.subarray(fromSecond * 40, toSecond * 40));
    assert.ok(highest(0.5, 1.5) > 10 && lowest(0.5, 1.5) < -10, 'loud at first');
    assert.ok(highest(2.5, 3.5) <= 1 && lowest(2.5, 3.5) >= -1, 'silent in the middle');
    assert.ok(highest(4.5, 5.5) > 10, 'loud again');
    await order();
    assert.equal(await queued(), 2, 'it is there');
  });

  it('is gone with its video', async () => {
    await fixture.rows('delete from video_assets where id = $1', [video.assetId]);
    assert.deepEqual(await stored(), []);
  });
});
