import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fillDisk, mountSmallDisk, unmountSmallDisk } from '../../server/src/testing/small-disk.ts';
import { until } from '../../server/src/testing/until.ts';
import { encoders } from '../support/encoder.ts';
import { NpmStart } from '../support/npm-start.ts';

const DISK_MIB = 500;
const CREATE = `mutation { createLiveInput(input: { name: "Harbour", visibility: UNLISTED }) {
  liveInput { id streamKey ingest { rtmp } } } }`;
const INPUT = `query ($id: DID!) { node(id: $id) { ... on LiveInput { state currentStream { id outputAssets {
  video { hls } } } } } }`;
const END = 'mutation ($id: DID!) { endBroadcast(id: $id) { stream { id } } }';
const STREAM = 'query ($id: DID!) { stream(id: $id) { broadcast { state missingMs } } }';

interface Input {
  readonly id: string;
  readonly streamKey: string;
  readonly ingest: { readonly rtmp: string };
}

/** The data of INPUT. */
interface InputState {
  readonly node: {
    readonly state: string;
    readonly currentStream: { readonly id: string; readonly outputAssets: { video: { hls: string } } } | null;
  };
}

/** Numbers of the segments in a playlist. */
const numbersIn = (playlist: string): number[] =>
  [...playlist.matchAll(/^seg-(\d+)\.m4s$/gm)].map(([, number]) => Number(number));

describe('a broadcast, without a byte left on the disk', { timeout: 240_000 }, () => {
  const platform = new NpmStart();
  const publish = encoders();
  const disk = join(platform.folder, 'data');
  const filler = join(disk, 'filler');
  const isMounted = mountSmallDisk(disk, DISK_MIB);
  let key = '';

  before(async () => {
    if (!isMounted) return;
    await platform.prepare();
    platform.env.STORAGE_RESERVE = '50MiB';
    key = platform.createAccount('ada').apiKey;
  });
  after(async () => {
    rmSync(filler, { force: true });
    await platform.stopRest();
    if (isMounted) unmountSmallDisk(disk);
    await platform.remove();
  });

  const fill = () => fillDisk(disk, filler);

  it('goes on for its viewers, and its recording says what is missing', async (t) => {
    if (!isMounted) return t.skip('only root may mount a file system');
    await platform.start();
    const ask = <Data>(query: string, variables = {}) => platform.ask<Data>(key, query, variables);
    const { liveInput } = (await ask<{ createLiveInput: { liveInput: Input } }>(CREATE)).createLiveInput;
    const encoder = publish(liveInput.ingest.rtmp, liveInput.streamKey);
    let hasEnded = false;
    void encoder.ended.then(() => {
      hasEnded = true;
    });
    const input = async () => (await ask<InputState>(INPUT, { id: liveInput.id })).node;
    await until(async () => (await input()).state === 'LIVE', 'it does not go live', 30_000);
    const { id, outputAssets } = (await input()).currentStream ?? assert.fail('there is a stream');
    const playlistUrl = outputAssets.video.hls.replace('master.m3u8', 'live/video/index.m3u8');
    const playlist = async () => (await fetch(playlistUrl)).text();
    const newest = async () => numbersIn(await playlist()).at(-1) ?? -1;

    const from = await newest();
    const isFurther = async () => {
      fill();
      return (await newest()) >= from + 4;
    };
    await until(isFurther, 'viewers get no further segment', 60_000);
    const { href } = new URL(`seg-${String(await newest()).padStart(5, '0')}.m4s`, playlistUrl);
    assert.equal((await fetch(href)).status, 200);

    rmSync(filler);
    const freed = await newest();
    await until(async () => (await newest()) >= freed + 3, 'nothing follows', 60_000);
    await until(async () => (await input()).state === 'LIVE', 'it is not live again', 30_000);
    assert.equal(hasEnded, false, 'the encoder was not disconnected');

    await ask(END, { id });
    type Recorded = { stream: { broadcast: { state: string; missingMs: number } } };
    const broadcast = async () => (await ask<Recorded>(STREAM, { id })).stream.broadcast;
    await until(async () => (await broadcast()).state === 'RECORDED', 'it is not recorded', 60_000);
    const { missingMs } = await broadcast();
    // The process that received it may still offer what it has in memory.
    let recorded = '';
    const isRecorded = async () => {
      recorded = await playlist();
      return recorded.includes('#EXT-X-DISCONTINUITY\n');
    };
    await until(isRecorded, 'the playlist is not that of the recording', 30_000);
    t.diagnostic(`${missingMs} ms are missing, ${numbersIn(recorded).length} segments are not`);
    assert.ok(missingMs >= 2_000, `${missingMs} ms`);
    assert.match(recorded, /#EXT-X-DISCONTINUITY\n[\s\S]*#EXT-X-ENDLIST\n$/);
    assert.ok(numbersIn(recorded).length >= 2);
  });
});
