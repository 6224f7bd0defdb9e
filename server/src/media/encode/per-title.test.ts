import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseProbe } from '../inspect/probe.ts';
import { type EncodePlan, planEncode } from './encode-plan.ts';
import type { EncodedChunk } from './encoded.ts';
import { costShare, hasSameSizes, omittedSizes, sampleChunks, sizesForTitle } from './per-title.ts';

function planOf(width: number, height: number, seconds: number, cuts: readonly number[] | null = null): EncodePlan {
  const times = { start_time: '0', duration: `${seconds}` };
  const picture = { width, height, pix_fmt: 'yuv420p', r_frame_rate: '25/1', avg_frame_rate: '25/1' };
  const streams = [{ index: 0, codec_type: 'video', codec_name: 'h264', ...picture, ...times }];
  return planEncode(parseProbe(JSON.stringify({ streams, format: { duration: `${seconds}` } }), 'mov'), cuts);
}

/** A chunk of two segments of 4 and 2 s, by the kbit/s of its renditions. */
function sample(rates: Readonly<Record<string, number>>): EncodedChunk {
  const parts = Object.entries(rates).map(([folder, kbps]) => ({
    ...{ folder, codecs: 'avc1', timescale: 1000, init: '' },
    segments: [[4000, 500 * kbps] as const, [2000, 250 * kbps] as const],
  }));
  return { firstSegment: 0, parts, cpuMs: 1 };
}

const FULL_HD = planOf(1920, 1080, 600);
/** Measured on scrolling text. */
const TEXT = { v1080: 272, v720: 167, v480: 352, v360: 92, v240: 102, v234: 98 };
/** Measured on a film. */
const FILM = { v1080: 1515, v720: 890, v480: 405, v360: 254, v240: 112, v234: 105 };

describe('the sizes of a title', () => {
  it('are chosen by the first two chunks, the one in the middle and the one after three quarters', () => {
    assert.equal(FULL_HD.chunks.length, 31);
    assert.deepEqual(sampleChunks(FULL_HD), [0, 1, 15, 23]);
  });

  it('are all of the ladder for short and small videos, and are not chosen for what is added', () => {
    assert.deepEqual(sampleChunks(planOf(1920, 1080, 100)), []);
    assert.deepEqual(sampleChunks(planOf(320, 240, 36_000)), []);
    assert.deepEqual(sampleChunks({ ...FULL_HD, codec: 'AV1' }), []);
    assert.deepEqual(sampleChunks({ ...FULL_HD, only: ['v1080'] }), []);
  });

  const cases: [name: string, samples: Record<string, number>[], left: string[]][] = [
    ['all of a film', [FILM, FILM], []],
    ['all but those that take more than the next larger one', [TEXT, TEXT], ['v480', 'v240']],
    ['all where one sample needs them', [TEXT, FILM], []],
    ['all where one sample has no picture of a size', [TEXT, { ...TEXT, v480: 0, v240: 0 }], []],
    ['all where the step would be more than twofold', [{ ...FILM, v1080: 1000, v720: 700, v480: 499 }], []],
    ['all that are 1.5 times as large', [{ ...FILM, v1080: 900, v720: 600, v480: 400, v360: 260 }], []],
    ['not those in between', [{ ...FILM, v1080: 600, v720: 590, v480: 580, v360: 400 }], ['v720', 'v480']],
    ['the first of two that are close', [{ ...FILM, v1080: 800, v720: 600, v480: 410, v360: 260 }], ['v720']],
    ['the small ones that take fewer bits', [{ ...FILM, v1080: 260, v720: 259, v480: 258 }], ['v720', 'v480']],
    ['the one that is played meanwhile', [{ ...FILM, v1080: 533, v720: 540, v480: 541, v360: 542 }], ['v720', 'v480']],
    ['the smallest always', [{ ...FILM, v360: 254, v240: 254, v234: 255 }], ['v240']],
  ];
  for (const [name, samples, left] of cases) {
    it(`are ${name}`, () => {
      const kept = sizesForTitle(FULL_HD, samples.map(sample));
      const all = ['v1080', 'v720', 'v480', 'v360', 'v240', 'v234'];
      assert.deepEqual(kept, left.length === 0 ? null : all.filter((folder) => !left.includes(folder)));
      assert.deepEqual(omittedSizes({ ...FULL_HD, ...(kept ? { only: kept } : {}) }), left);
    });
  }

  it('have the one that is played while the video is encoded, however wide it is', () => {
    const close = [sample({ v1080: 100, v720: 90, v480: 80, v360: 70, v240: 60, v234: 50 })];
    const wide = planOf(1920, 800, 600);
    assert.deepEqual(sizesForTitle(wide, close), ['v1080', 'v720', 'v360', 'v240', 'v234']);
    const cuts = Array.from({ length: 150 }, (_, segment) => 4 * segment);
    const playedAsCopy = planOf(1920, 800, 600, cuts);
    assert.deepEqual(sizesForTitle(playedAsCopy, close), ['v1080', 'v360', 'v240', 'v234']);
  });

  it('stay when the file is encoded with the same encoder again', () => {
    const { chunks: _, ...earlier } = { ...FULL_HD, only: ['v1080', 'v360', 'v240', 'v234'] };
    assert.equal(hasSameSizes(FULL_HD, earlier), true);
    const stages = earlier.stages.map((stage) => (stage.id === 'encode' ? { ...stage, version: 1 } : stage));
    assert.equal(hasSameSizes(FULL_HD, { ...earlier, stages }), false);
    assert.equal(hasSameSizes(planOf(1280, 720, 600), earlier), false);
  });

  it('take less CPU time', () => {
    const share = costShare(FULL_HD, ['v1080', 'v360', 'v240', 'v234']);
    assert.ok(share > 0.7 && share < 0.71, `${share}`);
    assert.equal(costShare(FULL_HD, ['v1080', 'v720', 'v480', 'v360', 'v240', 'v234']), 1);
  });
});
