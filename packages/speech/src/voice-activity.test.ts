import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { isSpeechEngineInstalled, speechFiles } from './speech-files.ts';
import { speechWindows } from './speech-windows.mjs';
import { noModel, TEST_VOICE } from './test-model.fixture.ts';

const weights = isSpeechEngineInstalled() ? speechFiles().voiceActivity : null;
const skip = weights === null ? 'Silero VAD is not installed: npm install --include=optional' : false;

async function windowsIn(samples: Int16Array): Promise<{ startMs: number; endMs: number }[]> {
  const { speechProbabilities } = await import('./voice-activity.mjs');
  return speechWindows(await speechProbabilities(weights ?? '', samples));
}

describe('voice activity', { skip }, () => {
  it('is none in silence and in a chord', async () => {
    assert.deepEqual(await windowsIn(new Int16Array(16_000 * 5)), []);
    const chord = Int16Array.from({ length: 16_000 * 5 }, (_, at) =>
      [440, 554, 659].reduce((sum, hertz) => sum + 3_000 * Math.sin((2 * Math.PI * hertz * at) / 16_000), 0),
    );
    assert.deepEqual(await windowsIn(chord), []);
  });

  it('is where a voice is', { skip: noModel }, async () => {
    const decode = ['-v', 'error', '-i', TEST_VOICE, '-af', 'adelay=5s,apad=pad_dur=20', '-ar', '16000', '-ac', '1'];
    const { buffer, byteOffset, length } = execFileSync('ffmpeg', [...decode, '-f', 's16le', '-'], {
      maxBuffer: 4 * 1024 ** 2,
    });
    const samples = new Int16Array(buffer.slice(byteOffset, byteOffset + length));
    const windows = await windowsIn(samples);
    // He speaks from 5.35 to 15.55 s of 36 s.
    assert.equal(windows.length, 1);
    const [{ startMs, endMs } = { startMs: 0, endMs: 0 }] = windows;
    assert.ok(Math.abs(startMs - 5_150) < 100 && Math.abs(endMs - 15_750) < 100, `${startMs} to ${endMs}`);
  });
});
