import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

/** Of the clip, at which uploads are slowed to the speed of their video. */
const BITRATE_BPS = 1_500_000;

/** A clip of 640x360 with 30 pictures and a steady bit rate, a keyframe every two seconds, and its index first. */
export function makeSteadyClip(path: string, seconds: number): string {
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=640x360:rate=30:duration=${seconds}`];
  const tone = ['-f', 'lavfi', '-i', `sine=frequency=330:duration=${seconds}`];
  const x264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '60', '-sc_threshold', '0'];
  const rates = [`${BITRATE_BPS}`, `${BITRATE_BPS}`, `${BITRATE_BPS}`, `${BITRATE_BPS / 2}`];
  const steady = ['-b:v', '-minrate', '-maxrate', '-bufsize'].flatMap((name, index) => [name, rates[index] ?? '']);
  const args = [...picture, ...tone, '-vf', 'noise=alls=30:allf=t', ...x264, ...steady];
  const file = ['-x264-params', 'nal-hrd=cbr', '-c:a', 'aac', '-movflags', '+faststart', path];
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-y', ...args, ...file]);
  assert.equal(status, 0, String(stderr));
  return path;
}
