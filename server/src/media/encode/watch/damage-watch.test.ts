import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { damageWatch } from './damage-watch.ts';

function reports(...lines: string[]): number {
  let times = 0;
  const watch = damageWatch(() => {
    times += 1;
  });
  for (const line of lines) watch(line);
  return times;
}

const REFUSED = '[error] Error while decoding stream #0:1: Invalid data found when processing input';

describe('damage that decoders report', () => {
  for (const line of [
    '[h264 @ 0x55a0c1] [error] error while decoding MB 0 3, bytestream 2133',
    '[h264 @ 0x55a0c1] [error] concealing 213 DC, 213 AC, 213 MV errors in P frame',
    '[h264 @ 0x55a0c1] [error] Invalid NAL unit size (1263304249 > 2045).',
    '[mpeg4 @ 0x55a0c1] [error] ac-tex damaged at 3 1',
    '[mpegts @ 0x55a0c1] [warning] Packet corrupt (stream = 0, dts = 504000).',
  ])
    it(`is reported once: ${line}`, () => assert.equal(reports(line, line), 1));

  it('is packets that give nothing, but not the first two of a recording that begins in the middle of one', () => {
    assert.equal(reports(REFUSED, REFUSED), 0);
    assert.equal(reports(REFUSED, '[info] frame=1', REFUSED, REFUSED, REFUSED), 1);
    assert.equal(reports(REFUSED, '    Last message repeated 2 times'), 1);
    assert.equal(reports('[info] something', '    Last message repeated 9 times'), 0);
  });

  it('is neither pictures beside a keyframe that refer to earlier ones, nor what is said of whole files', () => {
    assert.equal(
      reports(
        '[h264 @ 0x55a0c1] [error] co located POCs unavailable',
        '[hevc @ 0x55a0c1] [error] Could not find ref with POC 124',
        '[mp3float @ 0x55a0c1] [warning] Header missing',
        '[mp4 @ 0x55a0c1] [warning] track 1: codec frame size is not set',
      ),
      0,
    );
  });
});
