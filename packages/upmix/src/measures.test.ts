import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fft } from './fft.ts';
import { Lowpass } from './lowpass.ts';
import { ProgrammeLoudness } from './programme-loudness.ts';
import { TruePeak } from './true-peak.ts';

const tone = (hz: number, seconds: number, phase = 0) =>
  Float32Array.from({ length: 48_000 * seconds }, (_, index) => Math.sin((2 * Math.PI * hz * index) / 48_000 + phase));

test('a transform finds the parts of a signal, and its inverse gives the signal times its size', () => {
  const fft = new Fft(16);
  // 1 + 2 cos(3x) + 4 sin(5x)
  const signal = Float64Array.from({ length: 16 }, (_, index) => {
    const angle = (2 * Math.PI * index) / 16;
    return 1 + 2 * Math.cos(3 * angle) + 4 * Math.sin(5 * angle);
  });
  const [re, im] = [signal.slice(), new Float64Array(16)];
  fft.forward(re, im);
  const rounded = (values: Float64Array) => [...values].map((value) => Math.round(1e9 * value) / 1e9 + 0);
  assert.deepEqual(rounded(re), [16, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0]);
  assert.deepEqual(rounded(im), [0, 0, 0, 0, 0, -32, 0, 0, 0, 0, 0, 32, 0, 0, 0, 0]);
  fft.inverse(re, im);
  assert.ok(re.every((value, index) => Math.abs(value - 16 * signal[index]!) < 1e-12));
  for (const size of [0, 2, 12]) assert.throws(() => new Fft(size), /no size/);
});

test('a low-pass filter of order 16 passes half of its frequency, and damps its double by 96 dB', () => {
  const level = (hz: number) => {
    const filter = new Lowpass(16, 80, 48_000);
    let peak = 0;
    for (const [index, sample] of tone(hz, 2).entries()) {
      const value = filter.next(sample);
      if (index > 48_000) peak = Math.max(peak, Math.abs(value));
    }
    return 20 * Math.log10(peak);
  };
  assert.ok(Math.abs(level(40)) < 0.01);
  assert.ok(Math.abs(level(80) + 3.01) < 0.05);
  assert.ok(Math.abs(level(160) + 96.3) < 0.5, `${level(160)} dB`);
});

test('the true peak is found between samples', () => {
  const peak = new TruePeak();
  // Samples of a quarter of the rate, 45 degrees off: 0.7071 each, with a peak of 1 between them.
  for (const sample of tone(12_000, 1, Math.PI / 4)) peak.next(sample);
  assert.ok(Math.abs(20 * Math.log10(peak.value)) < 0.25, `${peak.value}`);
});

test('loudness is that of EBU Tech 3341: a tone of 1 kHz and -23 dBFS in both channels has -23 LUFS', () => {
  const loudness = new ProgrammeLoudness([1, 1]);
  const level = 10 ** (-23 / 20);
  for (const sample of tone(1000, 3)) loudness.next(Float32Array.of(level * sample, level * sample), 0);
  assert.ok(Math.abs(loudness.lufs! + 23) < 0.1, `${loudness.lufs}`);
  const quiet = new ProgrammeLoudness([1]);
  for (let index = 0; index < 48_000; index += 1) quiet.next(Float32Array.of(1e-5), 0);
  assert.equal(quiet.lufs, null);
});
