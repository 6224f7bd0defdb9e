import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LevelMeter, pieceBytes, planPieces, waveFile } from './audio-pieces.ts';

/** Levels of 20 ms each: `seconds` at a level, one after the other. */
function levels(...parts: readonly (readonly [seconds: number, level: number])[]): Float32Array {
  return Float32Array.from(parts.flatMap(([seconds, level]) => new Array<number>(50 * seconds).fill(level)));
}

describe('pieces of sound', () => {
  const cases: readonly [name: string, levels: Float32Array, expected: readonly string[]][] = [
    ['one for a short track', levels([5, 0.1]), ['0-5000']],
    ['none for silence', levels([60, 0.0001]), []],
    ['none for nothing', new Float32Array(0), []],
    ['cut in the last silence', levels([6, 0.1], [1, 0], [2, 0.1], [1, 0], [6, 0.1]), ['0-9840', '9840-16000']],
    ['cut at the quietest moment of noise', levels([7, 0.2], [1, 0.05], [8, 0.2]), ['0-7840', '7840-16000']],
    ['without those that are silent', levels([5, 0.1], [25, 0], [3, 0.1]), ['0-9840', '29520-33000']],
  ];
  for (const [name, given, expected] of cases)
    it(`are ${name}`, () => {
      assert.deepEqual(
        planPieces(given, 10_000).map(({ startMs, endMs }) => `${startMs}-${endMs}`),
        expected,
      );
    });

  it('are parts of a file of samples', () => {
    assert.deepEqual(pieceBytes({ startMs: 9_840, endMs: 16_000 }), { start: 314_880, length: 197_120 });
  });

  it('are measured by levels, whatever the chunks', () => {
    const samples = Buffer.alloc(2 * 480);
    for (let at = 0; at < 320; at += 1) samples.writeInt16LE(at % 2 === 0 ? 16_384 : -16_384, 2 * at);
    const meter = new LevelMeter();
    for (const end of [1, 4, 333, samples.length]) {
      const start = [0, 1, 4, 333][[1, 4, 333, samples.length].indexOf(end)] ?? 0;
      meter.push(samples.subarray(start, end));
    }
    assert.deepEqual([...meter.finish()], [0.5, 0]);
  });

  it('are WAV files', () => {
    const wav = waveFile(Buffer.from([1, 2, 3, 4]));
    assert.equal(
      wav.toString('hex'),
      `52494646${'28000000'}57415645666d7420${'10000000'}0100${'0100'}${'803e0000'}${'007d0000'}0200${'1000'}` +
        `64617461${'04000000'}01020304`,
    );
  });
});
