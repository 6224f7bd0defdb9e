import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { liveRungs, type Rendition } from '../../../media/index.ts';
import type { StoredSegmentRow } from '../broadcasts/broadcast-segments.store.ts';
import { FakeEncoder, LARGER_TRACKS, NOON, TRACKS } from '../packaging/live-stream.fixture.ts';
import { LiveStream } from '../packaging/live-stream.ts';
import { LiveDash, recordedManifest } from './live-dash.ts';
import { liveRenditions } from './live-renditions.ts';
import { rowOf } from './segment-recorder.ts';

const WINDOW = Number.POSITIVE_INFINITY;
const NEVER = { limitMs: 0, whenAbandoned: () => () => {} };
const LONG = { limitMs: 5_000, whenAbandoned: () => () => {} };
const RUNGS = liveRungs({ width: 1_280, height: 720, frameRate: 25 }).slice(-1);

/** A broadcast of an encoder, and what is stored of it. */
function opened(encoding: readonly string[] = []) {
  const rows: StoredSegmentRow[] = [];
  let renditions: readonly Rendition[] | null = null;
  const dash: LiveDash = new LiveDash({ windowSeconds: WINDOW, now: () => encoder.nowMs, encoding: () => encoding });
  const stream: LiveStream = new LiveStream({
    ...{ lowLatency: true, windowSeconds: WINDOW, now: () => encoder.nowMs, onInit: () => {} },
    onSegment: (segment) => {
      renditions ??= liveRenditions(stream.entries ?? TRACKS, RUNGS, segment);
      rows.push({ ...rowOf(segment), sizes: null });
      dash.add(segment, renditions);
    },
  });
  const encoder = new FakeEncoder(stream);
  return { dash, stream, encoder, rows, renditions: () => renditions ?? assert.fail('nothing is complete') };
}

async function textOf(dash: LiveDash): Promise<string> {
  return (await dash.file(NEVER))?.body.toString() ?? assert.fail('there is no manifest');
}

const tags = (text: string, ...names: string[]) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => names.some((name) => line.startsWith(`<${name} `)));

/** Representations by the periods that have them. */
const offered = (text: string) =>
  tags(text, 'Period', 'Representation').map((tag) => /id="([^"]+)"/.exec(tag)?.[1] ?? '');

describe('the DASH manifest of a broadcast', () => {
  it('lists segments with the times at which they are shown and heard', async () => {
    const { dash, stream, encoder } = opened();
    stream.begin(TRACKS);
    const waiting = dash.file(LONG);
    assert.equal(await dash.file(NEVER), null);
    encoder.send(7);
    assert.equal((await waiting)?.body.toString(), await textOf(dash));
    const text = await textOf(dash);
    assert.match(text, / type="dynamic" availabilityStartTime="2026-11-29T12:00:00.000Z" /);
    // The first packet came before the first picture, and the second one 21 ms later.
    assert.deepEqual(tags(text, 'S'), [
      ...['<S t="7200" d="180000" r="2"/>', '<S t="1008" d="95232"/>', '<S d="96256" r="1"/>'],
    ]);
    assert.deepEqual(offered(text), ['0', 'video', 'audio']);
    assert.match(
      text,
      / initialization="\$RepresentationID\$\/init\.mp4" media="\$RepresentationID\$\/seg-\$Number%05d\$\.m4s"/,
    );
  });

  it('waits for the sizes that are being encoded, at most until the next segment', async () => {
    const { dash, stream, encoder } = opened(['video-240']);
    stream.begin(TRACKS);
    encoder.send(3);
    assert.equal(await dash.file(NEVER), null);
    dash.addSize('video-240', 0);
    assert.deepEqual(offered(await textOf(dash)), ['0', 'video', 'video-240', 'audio']);
    encoder.send(4);
    dash.addSize('video-240', 1);
    assert.deepEqual(offered(await textOf(dash)), [...['0', 'video', 'video-240', 'audio', '1', 'video', 'audio']]);
    dash.addSize('video-240', 2);
    assert.deepEqual(offered(await textOf(dash)), [
      ...['0', 'video', 'video-240', 'audio', '1', 'video', 'audio', '2', 'video', 'video-240', 'audio'],
    ]);
  });

  it('has a period for what an encoder sends after an interruption, in another size and without sound', async () => {
    const { dash, stream, encoder } = opened();
    stream.begin(TRACKS);
    encoder.send(4);
    stream.interrupt();
    encoder.nowMs += 45_000;
    stream.begin({ ...LARGER_TRACKS, audio: null });
    encoder.send(4, { sound: false });
    const text = await textOf(dash);
    assert.deepEqual(offered(text), ['0', 'video', 'audio', '2', 'video']);
    assert.deepEqual(tags(text, 'Period'), [
      '<Period id="0" start="PT0S" duration="PT4S">',
      '<Period id="2" start="PT49S">',
    ]);
    assert.match(text, /init-1\.mp4/);
  });

  it('is the same in the process that continues the broadcast, and when it has ended', async () => {
    const first = opened();
    first.stream.begin(TRACKS);
    first.encoder.send(5);
    first.stream.interrupt();
    first.encoder.nowMs += 20_000;
    first.stream.begin(TRACKS);
    first.encoder.send(5);
    const text = await textOf(first.dash);
    assert.equal(tags(text, 'Period').length, 2);
    const second = opened();
    second.encoder.nowMs = first.encoder.nowMs;
    second.dash.restore(first.rows, first.renditions(), NOON);
    const unpublished = (each: string) => each.replace(/ publishTime="[^"]*"/, '');
    assert.equal(unpublished(await textOf(second.dash)), unpublished(text));
    first.dash.end();
    assert.equal(recordedManifest(first.rows, first.renditions(), NOON), await textOf(first.dash));
    assert.match(await textOf(first.dash), / type="static" /);
  });
});
