import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { until } from '../../server/src/testing/until.ts';
import { sharedStage } from '../support/stage.ts';
import { callApi } from '../support/steps.ts';

/** What Chromium sends by WHIP: pictures and sound that belong together stay together. */
const stage = sharedStage();
const run = promisify(execFile);

const CREATE = `mutation { createLiveInput(input: { name: "Sync" }) { liveInput { id streamKey ingest { whip } } } }`;
const STATE = `query ($id: DID!) { node(id: $id) { ... on LiveInput {
  currentStream { outputAssets { video { hls } } } } } }`;
const MOST_APART_SECONDS = 0.04;

/** Sends a white picture and a beep at the beginning of each second; the address of the session. */
const SEND = `async ({ address, key }) => {
  const sound = new AudioContext();
  await sound.resume();
  const output = sound.createMediaStreamDestination();
  const begin = sound.currentTime + 1;
  for (let second = 0; second < 60; second += 1) {
    const beep = sound.createOscillator();
    beep.frequency.value = 1000;
    beep.connect(output);
    beep.start(begin + second);
    beep.stop(begin + second + 0.1);
  }
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [320, 180];
  const context = canvas.getContext('2d');
  const draw = () => {
    const at = sound.currentTime - begin;
    context.fillStyle = at > 0 && at % 1 < 0.1 ? 'white' : 'black';
    context.fillRect(0, 0, 320, 180);
    requestAnimationFrame(draw);
  };
  draw();
  const stream = canvas.captureStream();
  const peer = new RTCPeerConnection();
  for (const track of [...stream.getTracks(), ...output.stream.getTracks()])
    peer.addTransceiver(track, { direction: 'sendonly' });
  await peer.setLocalDescription();
  while (peer.iceGatheringState !== 'complete') await new Promise((done) => setTimeout(done, 20));
  const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/sdp' };
  const response = await fetch(address, { method: 'POST', headers, body: peer.localDescription.sdp });
  await peer.setRemoteDescription({ type: 'answer', sdp: await response.text() });
  return new URL(response.headers.get('Location'), response.url).href;
}`;

/** The segments of a track as one file. */
async function saved(master: string, track: string): Promise<string> {
  const base = new URL(`live/${track}/`, master);
  const text = await (await fetch(new URL('index.m3u8', base))).text();
  const names = [/URI="([^"]+)"/.exec(text)?.[1] ?? '', ...(text.match(/^seg-\d+\.m4s$/gm) ?? [])];
  const files = names.map(async (name) => Buffer.from(await (await fetch(new URL(name, base))).arrayBuffer()));
  const path = join(stage.folder, `${track}.mp4`);
  await writeFile(path, Buffer.concat(await Promise.all(files)));
  return path;
}

/** When pictures become white, in seconds. */
async function flashesIn(path: string): Promise<number[]> {
  const print = 'signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-';
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-copyts', '-i', path, '-vf', print, '-f', 'null', '-']);
  const frames = [...stdout.matchAll(/pts_time:(\S+)\s+lavfi\.signalstats\.YAVG=(\S+)/g)];
  const isWhite = frames.map(([, , luma]) => Number(luma) > 128);
  return frames.flatMap(([, time], index) => (isWhite[index] && !isWhite[index - 1] ? [Number(time)] : []));
}

/** When beeps begin, in seconds. */
async function beepsIn(path: string): Promise<number[]> {
  const detect = 'silencedetect=n=-30dB:d=0.3';
  const { stderr } = await run('ffmpeg', ['-copyts', '-i', path, '-af', detect, '-f', 'null', '-']);
  return [...stderr.matchAll(/silence_end: (\S+)/g)].map(([, time]) => Number(time));
}

test('what a browser sends keeps its sound with its pictures', async () => {
  const { page, context, member, errors } = await stage.signedIn();
  const api = <Data>(query: string, variables = {}) => callApi<Data>(stage.baseUrl, member.key, query, variables);
  type Created = { createLiveInput: { liveInput: { id: string; streamKey: string; ingest: { whip: string } } } };
  const { liveInput } = (await api<Created>(CREATE)).createLiveInput;
  await page.goto('/');
  await page.mouse.click(1, 1);
  const sent = JSON.stringify({ address: liveInput.ingest.whip, key: liveInput.streamKey });
  const session: string = await page.evaluate(`(${SEND})(${sent})`);
  type State = { node: { currentStream: { outputAssets: { video: { hls: string } } } | null } };
  const hls = async () => (await api<State>(STATE, { id: liveInput.id })).node.currentStream?.outputAssets.video.hls;
  await until(async () => (await hls()) !== undefined, 'it never went live');
  const master = (await hls()) ?? assert.fail('it is live');
  const listed = async () =>
    (await (await fetch(new URL('live/video/index.m3u8', master))).text()).match(/^seg-/gm)?.length ?? 0;
  await until(async () => (await listed()) >= 6, 'there are no six segments');
  const [flashes, beeps] = [await flashesIn(await saved(master, 'video')), await beepsIn(await saved(master, 'audio'))];
  await fetch(session, { method: 'DELETE', headers: { authorization: `Bearer ${liveInput.streamKey}` } });
  const apart = beeps.slice(1, -1).map((beep) => Math.min(...flashes.map((flash) => Math.abs(flash - beep))));
  assert.ok(apart.length >= 6, `${flashes} | ${beeps}`);
  assert.ok(Math.max(...apart) <= MOST_APART_SECONDS, `${flashes} | ${beeps}`);
  assert.deepEqual(errors, []);
  await context.close();
});
