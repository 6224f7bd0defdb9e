import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { clips, LIMITS, packaged, runner } from '../package/packaging.fixture.ts';

/** The same tone in all six channels, of this peak. */
async function surround(peakDb: number): Promise<string> {
  // The source of tones has a peak of 1/8: -18.06 dBFS.
  const gain = `volume=${peakDb + 18.06}dB`;
  const tone = `sine=f=997:r=48000:d=2,aformat=sample_fmts=flt,${gain}`;
  const channels = `pan=5.1|${[0, 1, 2, 3, 4, 5].map((index) => `c${index}=c0`).join('|')}`;
  return clips.make('surround.mkv', ['-f', 'lavfi', '-i', `${tone},${channels}`, '-c:a', 'flac']);
}

/** Bytes of a second of decoded stereo. */
const SECOND = 48_000 * 2 * 4;

/** Peak in dBFS of the packaged sound as players decode it, between two times in seconds. */
async function packagedPeak(path: string, from: number, to: number): Promise<number> {
  const { outDir } = await packaged(path);
  const input = ['-protocol_whitelist', 'file', '-f', 'hls', '-i', 'audio/index.m3u8'];
  await runner.run('ffmpeg', [...input, '-f', 'f32le', 'decoded.raw'], { cwd: outDir, limits: LIMITS });
  const bytes = await readFile(join(outDir, 'decoded.raw'));
  let peak = 0;
  for (let at = from * SECOND; at < Math.min(to * SECOND, bytes.length); at += 4)
    peak = Math.max(peak, Math.abs(bytes.readFloatLE(at)));
  return 20 * Math.log10(peak);
}

test('loud surround sound is mixed down without clipping', THOROUGH, async () => {
  const peak = await packagedPeak(await surround(-0.9), 0, 2);
  assert.ok(peak <= 0 && peak >= -3, `${peak} dBFS`);
});

test('quiet surround sound is mixed down as in ITU-R BS.775, untouched by the limiter', THOROUGH, async () => {
  // Front, and centre and surround at -3 dB each, add up to 2.414: 7.65 dB more.
  // Where the tone begins, the encoder overshoots.
  const peak = await packagedPeak(await surround(-30), 0.5, 1.5);
  assert.ok(Math.abs(peak - -22.35) < 0.3, `${peak} dBFS`);
});
