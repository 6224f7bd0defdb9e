import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseMediaPlaylist } from '@reelgraph/manifests';
import { parseMovie } from '@reelgraph/mp4';
import { LIMITS, runner } from './packaging.fixture.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };
const decoded = (text: string) => text.replace(/&(\w+);/g, (_, name) => ENTITIES[name] ?? assert.fail(`&${name};`));

/** Parses the XML of a manifest strictly: no comments, no namespace prefixes, tags that match. */
export function parseXml(text: string): XmlElement {
  assert.ok(text.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n'));
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  for (const [, closing, name = '', list = '', empty, content] of text
    .slice(text.indexOf('\n'))
    .matchAll(/<(\/?)(\w+)((?: \w+="[^"<]*")*)(\/?)>|([^<]+)/g)) {
    const parent = open.at(-1) ?? assert.fail('text after the end');
    if (content !== undefined) parent.text += decoded(content);
    else if (closing) assert.equal(open.pop()?.name, name);
    else {
      const attributes = Object.fromEntries(
        [...list.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, decoded(value)]),
      );
      const element = { name, attributes, children: [], text: '' };
      parent.children.push(element);
      if (!empty) open.push(element);
    }
  }
  assert.deepEqual([open.length, root.children.length], [1, 1]);
  return root.children[0] ?? assert.fail('empty');
}

export const all = (element: XmlElement, name: string): XmlElement[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);
const attribute = (element: XmlElement, name: string): string =>
  element.attributes[name] ?? assert.fail(`${element.name} has no ${name}`);

/** A representation of a checked manifest. */
export interface CheckedTrack {
  readonly id: string;
  readonly contentType: string;
  readonly codecs: string;
  readonly seconds: number;
  readonly segments: number;
}

/**
 * Checks the manifest of a package against its files: timelines that begin at 0, cover the duration, and are those of
 * the segments; all files exist; codecs and sizes are those of the initialisation segments.
 */
export async function checkManifest(outDir: string): Promise<CheckedTrack[]> {
  const mpd = parseXml(await readFile(join(outDir, 'manifest.mpd'), 'utf8'));
  assert.deepEqual(
    [mpd.name, mpd.attributes['type'], mpd.attributes['profiles']],
    ['MPD', 'static', 'urn:mpeg:dash:profile:isoff-live:2011'],
  );
  const total = Number(/^PT([\d.]+)S$/.exec(attribute(mpd, 'mediaPresentationDuration'))?.[1]);
  const tracks: CheckedTrack[] = [];
  for (const set of all(mpd, 'AdaptationSet')) {
    const contentType = attribute(set, 'contentType');
    for (const representation of all(set, 'Representation')) {
      const id = attribute(representation, 'id');
      if (contentType === 'text') {
        const [url] = all(representation, 'BaseURL');
        assert.ok((await stat(join(outDir, url?.text ?? ''))).size > 0);
        tracks.push({ id, contentType, codecs: '', seconds: total, segments: 1 });
      } else tracks.push({ id, contentType, ...(await checkTrack(outDir, representation)) });
    }
  }
  assert.equal(new Set(tracks.map(({ id }) => id)).size, tracks.length);
  assert.ok(Math.abs(Math.max(...tracks.map(({ seconds }) => seconds)) - total) < 1e-5, `${total} s`);
  return tracks;
}

async function checkTrack(
  outDir: string,
  representation: XmlElement,
): Promise<Omit<CheckedTrack, 'id' | 'contentType'>> {
  const [template = assert.fail()] = all(representation, 'SegmentTemplate');
  const timescale = Number(attribute(template, 'timescale'));
  const init = await readFile(join(outDir, attribute(template, 'initialization')));
  const codecs = attribute(representation, 'codecs');
  checkInit(init, representation, timescale);

  const runs = all(template, 'S');
  assert.deepEqual(
    runs.map(({ attributes }) => attributes['t']),
    ['0', ...runs.slice(1).map(() => undefined)],
  );
  const durations = runs.flatMap(({ attributes }) =>
    Array<number>(1 + Number(attributes['r'] ?? 0)).fill(Number(attributes['d'])),
  );
  const playlistPath = attribute(template, 'media').replace(/[^/]+$/, 'index.m3u8');
  const playlist = parseMediaPlaylist(await readFile(join(outDir, playlistPath), 'utf8'));
  const first = Number(attribute(template, 'startNumber'));
  const names = durations.map((_, index) =>
    attribute(template, 'media').replace('$Number%05d$', `${first + index}`.padStart(5, '0')),
  );
  assert.deepEqual(
    names.map((name) => name.slice(name.lastIndexOf('/') + 1)),
    playlist.segments.map(({ uri }) => uri),
  );
  const peaks: number[] = [];
  let startTicks = 0;
  for (const [index, name] of names.entries()) {
    const segment = await readFile(join(outDir, name));
    assert.ok(Math.abs(firstDecodeTicks(segment) - startTicks) / timescale < 0.1, `${name} starts at ${startTicks}`);
    startTicks += durations[index] ?? 0;
    peaks.push((8 * segment.length * timescale) / (durations[index] ?? 0));
  }
  const whole = peaks.slice(0, Math.max(1, peaks.length - 1));
  assert.ok(Number(attribute(representation, 'bandwidth')) >= Math.max(...whole) * 0.99, 'peak bandwidth');
  return { codecs, seconds: startTicks / timescale, segments: names.length };
}

function checkInit(init: Buffer, representation: XmlElement, timescale: number): void {
  const at = init.indexOf('moov', 0, 'latin1');
  const [track = assert.fail('no track')] = parseMovie(
    init.subarray(at + 4, at - 4 + init.readUInt32BE(at - 4)),
  ).tracks;
  assert.equal(track.timescale, timescale);
  const codecs = attribute(representation, 'codecs');
  if (track.handler === 'vide') {
    const avcc = init.indexOf('avcC', 0, 'latin1');
    assert.equal(codecs, `avc1.${init.toString('hex', avcc + 5, avcc + 8)}`);
    assert.deepEqual(
      [attribute(representation, 'width'), attribute(representation, 'height')],
      [`${track.width / 0x10000}`, `${track.height / 0x10000}`],
    );
  } else if (codecs === 'ac-3' || codecs === 'ec-3') {
    // The decoder's configuration is beside the entry (ETSI TS 102 366 section F.3 and F.5).
    assert.ok(init.includes(codecs, 0, 'latin1') && init.includes(`d${codecs.replace('-', '')}`, 0, 'latin1'));
  } else {
    assert.equal(codecs, `mp4a.40.${(init[audioConfigAt(init)] ?? 0) >> 3}`);
  }
}

/** Where AudioSpecificConfig begins, with five bits of object type (ISO/IEC 14496-1 section 7.2.6, 14496-3). */
function audioConfigAt(init: Buffer): number {
  // Each descriptor is a tag and a length of up to four bytes; these are the lengths of the fields before the next.
  let at = init.indexOf('esds', 0, 'latin1') + 8;
  for (const [tag, fields] of [
    [3, 3],
    [4, 13],
    [5, 0],
  ] as const) {
    assert.equal(init[at++], tag);
    while ((init[at++] ?? 0) & 0x80);
    at += fields;
  }
  return at;
}

/** Base decode time of the first fragment (ISO/IEC 14496-12 section 8.8.12). */
function firstDecodeTicks(segment: Buffer): number {
  const at = segment.indexOf('tfdt', 0, 'latin1') + 4;
  return segment[at] === 1 ? Number(segment.readBigUInt64BE(at + 4)) : segment.readUInt32BE(at + 4);
}

/**
 * Decodes the tracks of a manifest with ffmpeg's DASH demuxer, and counts their frames. One by one: read together, all
 * end with the first.
 */
export async function decodedFrames(outDir: string, ids: readonly string[]): Promise<Record<string, number>> {
  const input = ['-protocol_whitelist', 'file', '-f', 'dash', '-i', 'manifest.mpd'];
  const frames: Record<string, number> = {};
  for (const [index, id] of ids.entries()) {
    const shown = [
      '-count_frames',
      '-select_streams',
      `${index}`,
      '-show_entries',
      'stream=nb_read_frames:stream_tags',
    ];
    const { stdout } = await runner.run('ffprobe', [...shown, '-of', 'json', ...input], {
      cwd: outDir,
      limits: LIMITS,
    });
    const [stream] = (JSON.parse(stdout) as { streams: { nb_read_frames: string; tags: { id: string } }[] }).streams;
    assert.equal(stream?.tags.id, id);
    frames[id] = Number(stream?.nb_read_frames);
  }
  return frames;
}
