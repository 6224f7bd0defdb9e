import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FrameReader, ReaderHandlers } from './frame-reader.ts';
import { H264Reader } from './h264-reader.ts';
import { Vp8Reader } from './vp8-reader.ts';
import { Vp9Reader } from './vp9-reader.ts';

/** What a reader makes of packets: `timestamp hex`, with ! after the timestamp of the last packet of a frame. */
function read(open: (handlers: ReaderHandlers) => FrameReader, packets: readonly string[]): string[] {
  const made: string[] = [];
  const reader = open({
    onConfig: ({ data }) => made.push(`config ${data.toString('hex')}`),
    onFrame: ({ timestamp, isKeyframe, data }) =>
      made.push(`${isKeyframe ? 'key' : 'frame'} ${timestamp} ${data.toString('hex')}`),
    onKeyframeNeeded: () => made.push('needed'),
  });
  for (const each of packets) {
    const [at = '', hex = ''] = each.split(' ');
    if (at === 'lost') reader.lost();
    else
      reader.push({
        sequenceNumber: 0,
        timestamp: Number.parseInt(at, 10),
        marker: at.endsWith('!'),
        payload: Buffer.from(hex, 'hex'),
      });
  }
  return made;
}

const SETS = '7800046742c01f000268ce';
const CONFIG = 'config 0142c01fffe100046742c01f01000268ce';

describe('packets of H.264', () => {
  const h264 = (...packets: string[]) => read((handlers) => new H264Reader(handlers), packets);

  it('are single units, aggregates and fragments', () => {
    assert.deepEqual(h264(`0 ${SETS}`, '0 7c8588', '0 7c0501', '0! 7c4502', '3000! 41e0', '6000! 419a'), [
      CONFIG,
      'key 0 0000000465880102',
      'frame 3000 0000000241e0',
      'frame 6000 00000002419a',
    ]);
  });

  it('make one frame of several slices, without delimiters, filler data and parameter sets', () => {
    assert.deepEqual(h264('0 09f0', '0 6742c01f', '0 68ce', '0 658801', '0 0cff', '0! 654002'), [
      CONFIG,
      'key 0 0000000365880100000003654002',
    ]);
  });

  it('end a frame with the next timestamp, where the last one has no marker', () => {
    assert.deepEqual(h264(`0 ${SETS}`, '0 6588', '3000 41e0', '6000 41e1'), [
      CONFIG,
      'key 0 000000026588',
      'frame 3000 0000000241e0',
    ]);
  });

  it('describe themselves again where the parameter sets change', () => {
    assert.deepEqual(
      h264(`0 ${SETS}`, '0! 6588', `3000 ${SETS}`, '3000! 6588', '6000 68cf', '6000! 6588').filter((each) =>
        each.startsWith('config'),
      ),
      [CONFIG, 'config 0142c01fffe100046742c01f01000268cf'],
    );
  });

  it('of the high profile say the format of the samples', () => {
    assert.deepEqual(h264('0 6764001f', '0 68ce', '0! 6588')[0], 'config 0164001fffe100046764001f01000268cefdf8f800');
  });

  it('before a keyframe, or before parameter sets, make no frame', () => {
    assert.deepEqual(h264('0! 41e0', '3000! 6588', '6000! 41e0'), ['needed', 'needed', 'needed']);
  });

  it('that are lost cost all frames until the next keyframe', () => {
    assert.deepEqual(
      h264(`0 ${SETS}`, '0! 6588', 'lost', '3000! 41e0', '6000! 41e0', '9000! 6588', '12000! 41e0').slice(2),
      ['needed', 'needed', 'needed', 'key 9000 000000026588', 'frame 12000 0000000241e0'],
    );
  });

  it('of a frame that began before they were lost make none', () => {
    const lostWithin = h264(`0 ${SETS}`, '0 7c8588', 'lost', '0! 7c4502');
    const lostBefore = h264(`0 ${SETS}`, '0! 6588', 'lost', '3000! 7c4502', '6000! 6540', '9000! 6588');
    assert.deepEqual(lostWithin, ['needed', 'needed']);
    assert.deepEqual(lostBefore, [
      ...[CONFIG, 'key 0 000000026588', 'needed', 'needed', 'needed'],
      'key 9000 000000026588',
    ]);
  });

  for (const [what, payload] of [
    ['is empty', ''],
    ['has a type that is not specified', '1f00'],
    ['is an aggregate that ends in a length', '780004'],
    ['is an aggregate that ends in a unit', '7800046742'],
    ['is an aggregate of nothing', '78'],
    ['is an aggregate of aggregates', '7800027800'],
    ['is a fragment without a header', '7c'],
    ['is a fragment of a fragment', '7c9c00'],
  ] as const)
    it(`make no frame where one ${what}`, () => {
      assert.deepEqual(h264(`0 ${SETS}`, `0 ${payload}`, '0! 6588'), ['needed']);
    });
});

describe('packets of VP8', () => {
  const vp8 = (...packets: string[]) => read((handlers) => new Vp8Reader(handlers), packets);

  it('have descriptors of all lengths', () => {
    assert.deepEqual(vp8('0 1050', '0! 0051', '3000! 90800161', '6000! 90f08102030463', '9000! 90400565'), [
      'key 0 5051',
      'frame 3000 61',
      'frame 6000 63',
      'frame 9000 65',
    ]);
  });

  it('without the first one, or with nothing behind the descriptor, make no frame', () => {
    assert.deepEqual(vp8('0! 0050', '3000! 10', '6000! 1050'), ['needed', 'needed', 'key 6000 50']);
  });
});

describe('packets of VP9', () => {
  const vp9 = (...packets: string[]) => read((handlers) => new Vp9Reader(handlers), packets);

  it('have descriptors of all lengths', () => {
    assert.deepEqual(
      vp9('0 0a18028001e001040150', '0! 0451', '3000! c80161', '6000! e88101000262', '9000! f80100030463'),
      ['key 0 5051', 'frame 3000 61', 'frame 6000 62', 'frame 9000 63'],
    );
  });

  it('that end within their descriptor make no frame', () => {
    assert.deepEqual(vp9('0! 0af8ff', '3000! 88', '6000! 0850'), ['needed', 'needed', 'key 6000 50']);
  });
});
