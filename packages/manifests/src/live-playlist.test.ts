import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LivePlaylist, type LivePlaylistOptions } from './live-playlist.ts';

const OPTIONS = { targetSeconds: 2, partSeconds: 0.5, windowSeconds: Number.POSITIVE_INFINITY, initUri: 'init.mp4' };
const NOON = Date.UTC(2026, 10, 29, 12);

/** Segments of two seconds in parts of a second half, and `parts` of the next one. */
function made(segments: number, parts: number, options: Partial<LivePlaylistOptions> = {}): LivePlaylist {
  const playlist = new LivePlaylist({ ...OPTIONS, ...options });
  for (let segment = 0; segment < segments; segment += 1) addWhole(playlist);
  for (let part = 0; part < parts; part += 1) addPart(playlist, part);
  return playlist;
}

function addPart(playlist: LivePlaylist, part: number): void {
  const { segment } = playlist;
  if (part === 0) playlist.startsAt(NOON + 2_000 * segment);
  const uri = (number: number) => `${segment}.${number}.m4s`;
  playlist.addPart({ uri: uri(part), durationSeconds: 0.5, isIndependent: part === 0 }, uri(part + 1));
}

function addWhole(playlist: LivePlaylist): void {
  for (let part = 0; part < 4; part += 1) addPart(playlist, part);
  playlist.addSegment({ uri: `${playlist.segment}.m4s`, durationSeconds: 2 });
}

describe('a live playlist', () => {
  it('says where players begin, where that is given', () => {
    const options = { partSeconds: null, firstSegment: 1, startSeconds: 0 };
    const playlist = new LivePlaylist({ ...OPTIONS, ...options });
    playlist.addSegment({ uri: 'a.m4s', durationSeconds: 1 });
    assert.equal(
      playlist.text(),
      `#EXTM3U
#EXT-X-VERSION:9
#EXT-X-TARGETDURATION:2
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12,HOLD-BACK=6
#EXT-X-PLAYLIST-TYPE:EVENT
#EXT-X-START:TIME-OFFSET=0
#EXT-X-MEDIA-SEQUENCE:1
#EXT-X-MAP:URI="init.mp4"
#EXTINF:1.000000,
a.m4s
`,
    );
    assert.doesNotMatch(made(1, 0).text(), /EXT-X-START/);
  });

  it('lists parts and the next one, segments with their times, and what a client may ask for', () => {
    assert.equal(
      made(1, 2).text(),
      `#EXTM3U
#EXT-X-VERSION:9
#EXT-X-TARGETDURATION:2
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12,PART-HOLD-BACK=1.500
#EXT-X-PART-INF:PART-TARGET=0.500
#EXT-X-PLAYLIST-TYPE:EVENT
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-MAP:URI="init.mp4"
#EXT-X-PROGRAM-DATE-TIME:2026-11-29T12:00:00.000Z
#EXT-X-PART:DURATION=0.500000,URI="0.0.m4s",INDEPENDENT=YES
#EXT-X-PART:DURATION=0.500000,URI="0.1.m4s"
#EXT-X-PART:DURATION=0.500000,URI="0.2.m4s"
#EXT-X-PART:DURATION=0.500000,URI="0.3.m4s"
#EXTINF:2.000000,
0.m4s
#EXT-X-PROGRAM-DATE-TIME:2026-11-29T12:00:02.000Z
#EXT-X-PART:DURATION=0.500000,URI="1.0.m4s",INDEPENDENT=YES
#EXT-X-PART:DURATION=0.500000,URI="1.1.m4s"
#EXT-X-PRELOAD-HINT:TYPE=PART,URI="1.2.m4s"
`,
    );
  });

  it('says where there is nothing to load', () => {
    const playlist = new LivePlaylist({ ...OPTIONS, partSeconds: null });
    playlist.addSegment({ uri: '0.m4s', durationSeconds: 2, isGap: true });
    assert.ok(playlist.text().endsWith('#EXT-X-GAP\n#EXTINF:2.000000,\n0.m4s\n'));
  });

  it('lists segments alone without parts', () => {
    const playlist = new LivePlaylist({ ...OPTIONS, partSeconds: null, windowSeconds: 60 });
    for (let segment = 0; segment < 2; segment += 1) playlist.addSegment({ uri: `${segment}.m4s`, durationSeconds: 2 });
    assert.equal(
      playlist.text(),
      `#EXTM3U
#EXT-X-VERSION:9
#EXT-X-TARGETDURATION:2
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12,HOLD-BACK=6
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-MAP:URI="init.mp4"
#EXTINF:2.000000,
0.m4s
#EXTINF:2.000000,
1.m4s
`,
    );
    assert.throws(() => addPart(playlist, 0), /no parts/);
  });

  it('lists the parts of the last three target durations', () => {
    const uris = [
      ...made(10, 1)
        .text()
        .matchAll(/URI="(\d+)\.0\.m4s"/g),
    ].map(([, segment]) => segment);
    assert.deepEqual(uris, ['7', '8', '9', '10']);
  });

  it('leaves out older segments in a delta update', () => {
    const text = made(10, 1).text({ skip: true });
    const [, behind = ''] = text.split('#EXT-X-MEDIA-SEQUENCE:0\n');
    assert.match(behind, /^#EXT-X-SKIP:SKIPPED-SEGMENTS=4\n#EXT-X-PROGRAM-DATE-TIME:2026-11-29T12:00:08\.000Z\n/);
    assert.doesNotMatch(text, /EXT-X-MAP/);
    assert.equal(made(3, 1).text({ skip: true }), made(3, 1).text());
  });

  it('drops segments that are older than its window, and counts the discontinuities among them', () => {
    const playlist = made(2, 0, { windowSeconds: 4 });
    playlist.discontinue('other.mp4');
    addWhole(playlist);
    const tags = () =>
      playlist
        .text()
        .split('\n')
        .filter((line) => /SEQUENCE|DISCONTINUITY|MAP|^\d+\.m4s/.test(line));
    assert.deepEqual(tags(), [
      '#EXT-X-MEDIA-SEQUENCE:1',
      '#EXT-X-MAP:URI="init.mp4"',
      '1.m4s',
      '#EXT-X-DISCONTINUITY',
      '#EXT-X-MAP:URI="other.mp4"',
      '2.m4s',
    ]);
    addWhole(playlist);
    assert.deepEqual(tags(), [
      '#EXT-X-MEDIA-SEQUENCE:2',
      '#EXT-X-DISCONTINUITY-SEQUENCE:1',
      '#EXT-X-MAP:URI="other.mp4"',
      '2.m4s',
      '3.m4s',
    ]);
    assert.equal(playlist.segment, 4);
  });

  it('drops the parts of a segment that a discontinuity leaves incomplete', () => {
    const playlist = made(1, 2);
    playlist.discontinue();
    assert.doesNotMatch(playlist.text(), /URI="1\.|PRELOAD-HINT/);
    addPart(playlist, 0);
    assert.match(
      playlist.text(),
      /\n0\.m4s\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="init\.mp4"\n#EXT-X-PROGRAM.*\n#EXT-X-PART:.*"1\.0\.m4s"/,
    );
  });

  it('ends without parts and hints', () => {
    const playlist = made(2, 1);
    playlist.end();
    assert.match(playlist.text(), /\n1\.m4s\n#EXT-X-ENDLIST\n$/);
    assert.doesNotMatch(playlist.text(), /EXT-X-PART:|PRELOAD/);
  });

  it('has what a client waits for once it was added, and everything when it has ended', () => {
    const playlist = made(2, 1);
    const has = (segment: number, part: number | null) => playlist.has({ segment, part });
    assert.deepEqual(
      [has(1, null), has(1, 9), has(2, 0), has(2, 1), has(2, null), has(3, 0)],
      [...[true, true, true, false, false, false]],
    );
    addPart(playlist, 1);
    assert.equal(has(2, 1), true);
    assert.deepEqual(
      [3, 4].map((segment) => playlist.isTooFar({ segment, part: null })),
      [false, true],
    );
    playlist.end();
    assert.deepEqual([has(9, 0), playlist.isTooFar({ segment: 9, part: 0 })], [true, false]);
  });

  it('is written once for each change', () => {
    const playlist = made(3, 1);
    const text = playlist.text();
    assert.equal(playlist.text(), text);
    addPart(playlist, 1);
    assert.notEqual(playlist.text(), text);
  });
});
