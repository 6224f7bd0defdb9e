import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestRunner, readClip } from '../../../media/testing.ts';
import { sql } from '../../../platform/db/statement.ts';
import { openTestProcessing, type TestProcessing } from './processing.fixture.ts';

describe('a video whose file is cut off or damaged', () => {
  let fixture: TestProcessing;
  before(async () => {
    fixture = await openTestProcessing({ work: false });
  });
  after(() => fixture.close());

  it('has what the file has, and shows the owner what is missing', async () => {
    const inputs = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=4', '-f', 'lavfi', '-i', 'sine=d=4'];
    const codecs = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-g', '10', '-c:a', 'aac'];
    const bytes = await readClip(await openTestRunner(), 'a.mp4', [...inputs, ...codecs, '-movflags', '+faststart']);
    const { contentId, assetId } = await fixture.upload(bytes.subarray(0, 0.6 * bytes.length));
    const jobId = await fixture.submit(contentId);
    await fixture.process(jobId);
    assert.deepEqual(await fixture.jobRow(jobId), {
      status: 'COMPLETE',
      attempts: 1,
      error_code: null,
      deployed: true,
    });
    const { duration_ms: durationMs } = await fixture.assetRow(assetId);
    const stored = await fixture.platform.db.first<{ missing_ms: number }>(
      sql('missing_of', 'select missing_ms from video_assets where id = $1'),
      [assetId],
    );
    const missingMs = stored?.missing_ms ?? 0;
    assert.ok(durationMs > 1_000 && durationMs < 3_000, `${durationMs} ms`);
    assert.ok(missingMs >= 1_200 && Math.abs(durationMs + missingMs - 4_000) <= 100, `${missingMs} ms are missing`);
  });

  it('is played where it is damaged in the middle, and its owner is told', async () => {
    const damaged = async (bytes: Buffer) => {
      const { contentId, assetId } = await fixture.upload(bytes);
      const jobId = await fixture.submit(contentId);
      await fixture.process(jobId);
      const row = await fixture.platform.db.first<{ is_damaged: boolean }>(
        sql('damage_of', 'select is_damaged from video_assets where id = $1'),
        [assetId],
      );
      return [(await fixture.jobRow(jobId)).status, row?.is_damaged];
    };
    const inputs = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=4', '-f', 'lavfi', '-i', 'sine=d=4'];
    const codecs = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-g', '50', '-c:a', 'aac'];
    const bytes = await readClip(await openTestRunner(), 'whole.mp4', [...inputs, ...codecs]);
    assert.deepEqual(await damaged(bytes), ['COMPLETE', false]);
    const middle = bytes.indexOf('mdat') + Math.floor(bytes.length / 2);
    const overwritten = Buffer.from(bytes);
    for (let at = middle; at < middle + 8_000; at += 1) overwritten[at] = (overwritten[at] ?? 0) ^ 0x5a;
    assert.deepEqual(await damaged(overwritten), ['COMPLETE', true]);
  });
});
