import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markPartial, type Parsed } from './last-parts.ts';

const LISTED = [
  [7, 2],
  [7, 3],
  [7, 4],
  [8, 0],
].map(([sn = 0, index = 0]) => ({ index, fragment: { sn } }));

/** A segment of which a part was parsed. */
function parsed(sn: number, index: number | null): Parsed {
  const video = { startPTS: 14, endPTS: 15.967, startDTS: 14, endDTS: 15.967 };
  return {
    type: 'video',
    frag: { sn, elementaryStreams: { video, audio: null, audiovideo: null } },
    part: index === null ? null : { index },
    details: { partList: LISTED },
  };
}

describe('parts of segments', () => {
  it('are incomplete while parts follow', () => {
    const before = parsed(7, 3);
    markPartial(before);
    assert.equal(before.frag.elementaryStreams.video?.partial, true);
  });

  it('are complete with the last one', () => {
    const last = parsed(7, 4);
    markPartial(parsed(7, 3));
    markPartial(last);
    assert.equal(last.frag.elementaryStreams.video?.partial, false);
  });

  it('are not looked at where a whole segment was loaded', () => {
    const whole = parsed(7, null);
    markPartial(whole);
    assert.equal(whole.frag.elementaryStreams.video?.partial, undefined);
  });

  it('are not looked at in a track that the segment does not have', () => {
    const other = { ...parsed(7, 3), type: 'audio' };
    markPartial(other);
    assert.equal(other.frag.elementaryStreams.video?.partial, undefined);
  });
});
