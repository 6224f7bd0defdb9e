import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { sourceDownloadOf } from '../../delivery/files/source-download.ts';
import { openTestProcessing, type TestProcessing } from './processing.fixture.ts';

const [WIDTH, HEIGHT, FRAMES] = [64, 48, 3];

describe('an uploaded animated WebP', () => {
  let fixture: TestProcessing;
  before(async () => {
    fixture = await openTestProcessing();
  });
  after(() => fixture.close());

  const image = (frames: number) => {
    const pixels = Buffer.concat(
      Array.from({ length: frames }, (_, frame) => Buffer.alloc(WIDTH * HEIGHT * 3, 60 * frame)),
    );
    const raw = { width: WIDTH, height: HEIGHT * frames, channels: 3, pageHeight: HEIGHT } as const;
    return sharp(pixels, { raw })
      .webp({ delay: Array.from({ length: frames }, () => 500) })
      .toBuffer();
  };

  it('becomes a video, which other sites get as MP4', THOROUGH, async () => {
    const video = await fixture.upload(await image(FRAMES));
    const jobId = await fixture.submit(video.contentId);
    const ended = await fixture.media.waiter.wait(video.contentId, { timeoutSeconds: 60 });
    assert.deepEqual(ended, { jobId, status: 'COMPLETE', progress: 100, error: null });
    const asset = await fixture.assetRow(video.assetId);
    assert.deepEqual([asset.mime_type, asset.width, asset.height, asset.duration_ms], ['image/webp', 64, 48, 1_500]);
    assert.equal((await fixture.postersOf(video.contentId)).length, 1);
    const download = await sourceDownloadOf(fixture.platform, video.contentId, 'id');
    assert.deepEqual(
      [download?.objectKey, download?.contentType],
      [`${asset.package_prefix}downloads/video.mp4.index`, 'video/mp4'],
    );
  });

  it('with one frame ends the job with the reason', async () => {
    const video = await fixture.upload(await image(1));
    await fixture.submit(video.contentId);
    const ended = await fixture.media.waiter.wait(video.contentId, { timeoutSeconds: 60 });
    assert.equal(ended?.status, 'ERROR');
    assert.match(String(ended?.error), /The file is an image; upload it as a poster or thumbnail, or send a video\./);
  });
});
