import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { casesOf, THOROUGH } from '../../../scripts/test-runner/cases.ts';
import { correlationOf, measureScene, power, sceneMix, separate, upmixed } from './acoustics.fixture.ts';
import { CHANNELS, type UpmixLayout } from './layouts.ts';
import { gainOf, UpmixMeter } from './measure-upmix.ts';
import { RATE, randomOf, type StereoSound, scenes } from './scenes.fixture.ts';
import { Upmixer } from './upmixer.ts';

const SECONDS = 6;
const noise = (seed: number, length = RATE): Float32Array => {
  const random = randomOf(seed);
  return Float32Array.from({ length }, () => 0.4 * (random() - 0.5));
};
const stereo = (left: Float32Array, right: Float32Array): StereoSound => ({ left, right });
const silence = new Float32Array(RATE);

/** In dB: the Lo/Ro downmix of channels against the original. */
function downmixSnrDb({ left, right }: StereoSound, channels: readonly Float32Array[]): number {
  let [signal, error] = [0, 0];
  for (const [side, original] of [left, right].entries())
    for (const [index, sample] of original.entries()) {
      const around = [4, 6].reduce((sum, first) => sum + (channels[first + side]?.[index] ?? 0), 0);
      const lo = channels[side]![index]! + Math.SQRT1_2 * (channels[2]![index]! + around);
      signal += sample * sample;
      error += (lo - sample) ** 2;
    }
  return 10 * Math.log10(signal / error);
}

describe('the upmix of scenes with known stems', () => {
  const [all, street, music, hall, crowd, ambience, dialogue, plucked] = scenes(SECONDS);
  test('separates dialogue, a source at the side and ambience', () => {
    const found = measureScene(all!, upmixed(sceneMix(all!)));
    assert.ok(found.dialogueInFrontDb! <= -15, `${found.dialogueInFrontDb} dB`);
    assert.ok(found.dialogueAroundDb! <= -25, `${found.dialogueAroundDb} dB`);
    assert.ok(found.centreSdrDb! >= 6, `${found.centreSdrDb} dB`);
    assert.ok(found.surroundSdrDb! >= 2, `${found.surroundSdrDb} dB`);
    assert.ok(Math.abs(found.correlation) <= 0.3, `${found.correlation}`);
    assert.ok(found.lfeDb <= -40, `${found.lfeDb} dB`);
  });

  test('separates dialogue from a crowd that is nearly as loud', THOROUGH, () => {
    const found = measureScene(crowd!, upmixed(sceneMix(crowd!)));
    assert.ok(found.dialogueInFrontDb! <= -15, `${found.dialogueInFrontDb} dB`);
    assert.ok(found.dialogueAroundDb! <= -25, `${found.dialogueAroundDb} dB`);
    assert.ok(found.centreSdrDb! >= 6, `${found.centreSdrDb} dB`);
    assert.ok(found.surroundSdrDb! >= 2, `${found.surroundSdrDb} dB`);
  });

  test('keeps music at its side out of the centre', THOROUGH, () => {
    const found = measureScene(music!, upmixed(sceneMix(music!)));
    assert.ok(found.dialogueInFrontDb! <= -20, `${found.dialogueInFrontDb} dB`);
    assert.ok(found.dialogueAroundDb! <= -25, `${found.dialogueAroundDb} dB`);
    assert.ok(found.centreSdrDb! >= 10, `${found.centreSdrDb} dB`);
  });

  test('has surrounds that are not related where there is only reverberation, too', THOROUGH, () => {
    const found = measureScene(hall!, upmixed(sceneMix(hall!)));
    assert.ok(Math.abs(found.correlation) <= 0.3, `${found.correlation}`);
    assert.ok(found.dialogueAroundDb! <= -40, `${found.dialogueAroundDb} dB`);
    assert.ok(found.surroundSdrDb! >= -13, `${found.surroundSdrDb} dB`);
  });

  test('keeps what is above the bass out of LFE where a programme has hardly any bass', THOROUGH, () => {
    const { lfeDb } = measureScene(plucked!, upmixed(sceneMix(plucked!)));
    assert.ok(lfeDb <= -40, `${lfeDb} dB`);
  });

  test('takes ambience to the surrounds, in 5.1 and in 7.1', THOROUGH, () => {
    const mix = sceneMix(ambience!);
    const five = upmixed(mix);
    assert.ok(measureScene(ambience!, five).surroundSdrDb! >= 9);
    const seven = upmixed(mix, '7.1');
    const [back, side] = [seven[4]!, seven[6]!];
    assert.ok(Math.abs(10 * Math.log10(power(back) / power(side))) < 1);
    const error = five[4]!.map((sample, index) => back[index]! + side[index]! - sample);
    assert.ok(power(error) < 1e-12 * power(five[4]!), 'together they are the surround of 5.1');
  });

  test('has surrounds in 7.1 of which no two are related', THOROUGH, () => {
    for (const scene of [all!, crowd!, ambience!]) {
      const found = measureScene(scene, upmixed(sceneMix(scene), '7.1'));
      assert.ok(Math.abs(found.correlation) <= 0.3, `${scene.name}: ${found.correlation}`);
      assert.ok(found.surroundSdrDb! >= 1.5, `${scene.name}: ${found.surroundSdrDb} dB`);
    }
  });

  test('leaves nothing of dialogue alone but the centre', THOROUGH, () => {
    const [left, right, centre, , surroundLeft] = upmixed(sceneMix(dialogue!));
    assert.ok(power(left!) + power(right!) + power(surroundLeft!) < 1e-9 * power(centre!));
  });

  for (const layout of casesOf(['5.1', '7.1'] as const, 1))
    test(`has the original as its Lo/Ro downmix in ${layout}, as loud, below the highest peak`, () => {
      for (const scene of [street!, music!]) {
        const mix = sceneMix(scene);
        assert.ok(downmixSnrDb(mix, upmixed(mix, layout)) >= 120);
      }
      for (const scene of [music!, ambience!]) {
        const meter = new UpmixMeter('stereo', layout);
        meter.push(interleaved(sceneMix(scene)));
        const figures = meter.finish();
        assert.equal(figures.samples, SECONDS * RATE);
        assert.ok(figures.downmixSnrDb! >= 120);
        assert.ok(Math.abs(figures.upmixLufs! - figures.sourceLufs!) <= 1, JSON.stringify(figures));
        assert.ok(figures.truePeakDbtp! + 20 * Math.log10(gainOf(figures)) <= -1);
      }
    });
});

function interleaved({ left, right }: StereoSound): Float32Array {
  const samples = new Float32Array(2 * left.length);
  for (let index = 0; index < left.length; index += 1) samples.set([left[index]!, right[index]!], 2 * index);
  return samples;
}

const peaks = (channels: readonly Float32Array[]) =>
  channels.map((channel) => channel.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0));

describe('special programmes', () => {
  test('silence stays silence', () => {
    assert.deepEqual(peaks(upmixed(stereo(silence, silence))), [0, 0, 0, 0, 0, 0]);
  });

  test('what is the same in both channels goes to the centre', () => {
    const same = noise(1);
    const [left, , centre, , around] = upmixed(stereo(same, same));
    assert.ok(power(left!) + power(around!) < 1e-9 * power(centre!));
    assert.ok(Math.abs(power(centre!) / power(same) - 2) < 0.001, 'as loud as two loudspeakers');
  });

  test('what is in one channel only stays there', () => {
    const [left, right, centre, , aroundLeft, aroundRight] = upmixed(stereo(noise(2), silence));
    assert.ok(power(right!) + power(centre!) + power(aroundLeft!) + power(aroundRight!) < 1e-9 * power(left!));
  });

  test('what is in both channels with opposite signs stays in front', () => {
    const one = noise(3);
    const mix = stereo(
      one,
      one.map((sample) => -sample),
    );
    const [left, right, centre, , around] = upmixed(mix);
    assert.ok(power(centre!) + power(around!) < 1e-9 * power(left!));
    assert.ok(Math.abs(power(right!) / power(one) - 1) < 0.001);
  });

  test('mono goes to the centre as it is, and its low part to LFE', () => {
    const tone = Float32Array.from({ length: RATE }, (_, index) => 0.5 * Math.sin((2 * Math.PI * 40 * index) / RATE));
    const [left, right, centre, lfe, aroundLeft, aroundRight] = upmixed(stereo(tone, tone), '5.1', 'mono');
    assert.deepEqual(centre, tone);
    assert.deepEqual(peaks([left!, right!, aroundLeft!, aroundRight!]), [0, 0, 0, 0]);
    // 10 dB lower, and at the same time.
    const middle = (channel: Float32Array) => channel.subarray(RATE / 4, (3 * RATE) / 4);
    assert.ok(Math.abs(10 * Math.log10(power(middle(lfe!)) / power(middle(tone))) + 10) < 0.2);
    assert.ok(correlationOf(middle(lfe!), middle(tone)) > 0.9);
  });

  test('LFE fades in and out where the programme begins and ends with bass', THOROUGH, () => {
    const tone = Float32Array.from({ length: RATE }, (_, index) => 0.5 * Math.cos((2 * Math.PI * 40 * index) / RATE));
    for (const source of ['mono', 'stereo'] as const) {
      const lfe = upmixed(stereo(tone, tone), '5.1', source)[3]!;
      assert.ok(Math.max(Math.abs(lfe[0]!), Math.abs(lfe.at(-1)!)) < 1e-5);
      const [start, middle, end] = [lfe.subarray(0, 2400), lfe.subarray(12_000, 14_400), lfe.subarray(-2400)];
      for (const part of [start, end])
        assert.ok(power(part) > 0.2 * power(middle) && power(part) < 0.5 * power(middle));
    }
  });

  test('clipped sound, the highest samples and those that are no numbers give finite samples', () => {
    const wild = noise(4).map((sample) => Math.sign(sample));
    wild.set([Number.NaN, Number.POSITIVE_INFINITY, 3e38, -3e38, Number.NEGATIVE_INFINITY], 1000);
    for (const layout of ['5.1', '7.1'] as const)
      for (const channel of upmixed(stereo(wild, noise(5)), layout)) assert.ok(channel.every(Number.isFinite));
    const meter = new UpmixMeter('stereo', '5.1');
    const square = noise(6, 2 * RATE).map((sample) => Math.sign(sample));
    meter.push(square);
    const figures = meter.finish();
    assert.ok(figures.truePeakDbtp! > 0);
    assert.ok(Math.abs(figures.truePeakDbtp! + 20 * Math.log10(gainOf(figures)) + 1.5) < 1e-9);
  });

  test('sound without high frequencies, as of 8 kHz, keeps its downmix', THOROUGH, () => {
    const held = (seed: number) => {
      const samples = noise(seed, RATE / 6);
      return Float32Array.from({ length: RATE }, (_, index) => samples[Math.floor(index / 6)]!);
    };
    const mix = stereo(held(7), held(8));
    assert.ok(downmixSnrDb(mix, upmixed(mix)) >= 120);
  });
});

describe('streaming', () => {
  const mix = interleaved(stereo(noise(9, 30_001), noise(10, 30_001)));
  const inBlocks = (layout: UpmixLayout, size: number) => {
    const upmixer = new Upmixer({ source: 'stereo', layout });
    const blocks: Float32Array[] = [];
    for (let at = 0; at < mix.length; at += size) blocks.push(upmixer.push(mix.subarray(at, at + size)));
    return separate([...blocks, upmixer.finish()], CHANNELS[layout].length);
  };

  test('gives the same samples whatever the blocks, and as many as there were', THOROUGH, () => {
    const whole = inBlocks('5.1', mix.length);
    assert.deepEqual(
      whole.map(({ length }) => length),
      new Array(6).fill(30_001),
    );
    assert.deepEqual(inBlocks('5.1', 2), whole);
    assert.deepEqual(inBlocks('5.1', 7000), whole);
  });

  test('gives programmes shorter than a frame back whole', () => {
    for (const length of [0, 1, 100]) {
      const upmixer = new Upmixer({ source: 'mono', layout: '7.1' });
      const samples = noise(11, length);
      const channels = separate([upmixer.push(samples), upmixer.finish()], 8);
      assert.deepEqual(channels[2], samples);
    }
  });

  test('holds back less than half a second', () => {
    const upmixer = new Upmixer({ source: 'stereo', layout: '5.1' });
    for (let second = 1; second <= 4; second += 1) upmixer.push(new Float32Array(2 * RATE));
    assert.ok(upmixer.finish().length / 6 < RATE / 2);
  });
});
