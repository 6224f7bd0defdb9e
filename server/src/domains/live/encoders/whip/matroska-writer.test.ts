import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { matroskaFrame, matroskaHeader } from './matroska-writer.ts';

describe('Matroska', () => {
  it('begins with its tracks, in a segment that goes on', () => {
    assert.equal(
      matroskaHeader([{ number: 1, codec: 'V_VP8' }]).toString('hex'),
      [
        ...['1a45dfa3', '1000001c', '4282', '10000008', '6d6174726f736b61'],
        ...['4287', '10000001', '04', '4285', '10000001', '02'],
        ...['18538067', '01ffffffffffffff', '1549a966', '1000000a', '2ad7b1', '10000003', '0186a0'],
        ...['1654ae6b', '10000022', 'ae', '1000001d', 'd7', '10000001', '01', '73c5', '10000001', '01'],
        ...['83', '10000001', '01', '86', '10000005', '565f565038'],
      ].join(''),
    );
  });

  it('has a cluster for each frame, with its time in tenths of milliseconds', () => {
    assert.equal(
      matroskaFrame(2, 1_020.5, true, Buffer.from('f8ff', 'hex')).toString('hex'),
      ['1f43b675', '10000012', 'e7', '10000002', '27dd', 'a3', '10000006', '82000080', 'f8ff'].join(''),
    );
  });
});
