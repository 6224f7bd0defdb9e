import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseMediaPlaylist } from '@reelgraph/manifests';
import { QUICK_H264, realMedia, testVideo, tone } from '../clips.fixture.ts';
import { clips, packaged, playedBack } from './packaging.fixture.ts';

/** Long and large files, which take a long time to package. */

test('a long video of one frame per second has segments of a minute, and plays to its end', async () => {
  const { video, outDir } = await packaged(
    await clips.make('slow.mp4', [...testVideo('64x36', 1, 630), ...tone('mono', 630), ...QUICK_H264]),
  );
  const [rendition] = video.qualities;
  for (const folder of ['v36', 'audio']) {
    const playlist = parseMediaPlaylist(await readFile(join(outDir, `${folder}/index.m3u8`), 'utf8'));
    assert.equal(playlist.segments.length, 11);
    // RFC 8216 section 4.3.3.1: no segment, rounded, is longer than the target duration.
    assert.ok(
      playlist.segments.every(({ durationSeconds }) => Math.round(durationSeconds) <= playlist.targetDurationSeconds),
    );
  }
  assert.equal(video.durationMs, 630_000);
  assert.equal((await playedBack(outDir, rendition?.path ?? '')).nb_read_packets, '630');
  assert.equal(video.extras.videoDownload, 'downloads/video.mp4.index');
});

test('real recordings are packaged, if present', async () => {
  const expectations: [file: string, top: string][] = [
    ['odd_641x359_vp9.webm', '360p 640x358@24/1'],
    ['h264_10bits.mp4', '200p 200x200@30/1'],
    ['video_very_short_240p.mp4', '240p 454x240@25/1'],
    ['fire2.mp4', '720p 1280x720@577/50'],
    ['hlg10-color-test.mp4', '1080p 1920x1080@90000/3001'],
    ['multiple-aac-tracks.mp4', 'audio 0x0@null'],
    ['sample_h262_mpeg_audio.ts', '426p 640x426@30000/1001'],
  ];
  for (const [file, top] of expectations) {
    const path = realMedia(file);
    if (path === null) continue;
    const { video, outDir } = await packaged(path);
    const [first] = video.qualities;
    assert.equal(`${first?.label} ${first?.width}x${first?.height}@${first?.frameRate}`, top, file);
    assert.ok((await readdir(outDir)).includes('master.m3u8'));
  }
});
