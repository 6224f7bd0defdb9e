import { until } from '../../../server/src/testing/until.ts';
import { callApi } from '../steps.ts';

/** Where encoders publish to. */
export interface LiveTarget {
  /** Of the live input. */
  readonly id: string;
  readonly streamKey: string;
  readonly rtmp: string;
  readonly rtmps: string;
  readonly whip: string;
  /** Empty where it does not receive SRT. */
  readonly srt: string;
  readonly srtPassphrase: string;
}

/** A stream, while it is live. */
export interface LiveStream {
  readonly id: string;
  /** Of its page. */
  readonly url: string;
  readonly hls: string;
  readonly dash: string;
}

/** Whose live inputs these are, and where. */
export interface Owner {
  readonly baseUrl: string;
  readonly key: string;
}

const CREATE = `mutation ($input: CreateLiveInputInput!) { createLiveInput(input: $input) { liveInput {
  id streamKey srtPassphrase ingest { rtmp rtmps srt whip } } } }`;
const INPUT = `query ($id: DID!) { node(id: $id) { ... on LiveInput { state currentStream {
  id shortUrl broadcast { dash } outputAssets { video { hls } } } } } }`;
const STREAM = 'query ($id: DID!) { stream(id: $id) { broadcast { state missingMs } metadata { duration } } }';

/** Creates a live input for public streams. */
export async function createTarget({ baseUrl, key }: Owner, values: object = {}): Promise<LiveTarget> {
  type Input = Pick<LiveTarget, 'id' | 'streamKey'> & {
    srtPassphrase: string | null;
    ingest: Record<'rtmp' | 'rtmps' | 'srt' | 'whip', string | null>;
  };
  const input = { name: 'Harbour', visibility: 'PUBLIC', ...values };
  const data = await callApi<{ createLiveInput: { liveInput: Input } }>(baseUrl, key, CREATE, { input });
  const { id, streamKey, srtPassphrase, ingest } = data.createLiveInput.liveInput;
  const addresses = Object.entries(ingest).map(([protocol, address]) => [protocol, address ?? '']);
  return { id, streamKey, srtPassphrase: srtPassphrase ?? '', ...Object.fromEntries(addresses) };
}

interface InputState {
  readonly state: string;
  readonly stream: LiveStream | null;
}

export async function inputState({ baseUrl, key }: Owner, { id }: LiveTarget): Promise<InputState> {
  type Current = {
    id: string;
    shortUrl: string;
    broadcast: { dash: string };
    outputAssets: { video: { hls: string } };
  };
  type Data = { node: { state: string; currentStream: Current | null } };
  const { state, currentStream } = (await callApi<Data>(baseUrl, key, INPUT, { id })).node;
  if (currentStream === null) return { state, stream: null };
  const { shortUrl, broadcast, outputAssets } = currentStream;

  return { state, stream: { id: currentStream.id, url: shortUrl, hls: outputAssets.video.hls, dash: broadcast.dash } };
}

/** Waits until an input has a state; `said` tells what its encoder says. */
export async function untilInput(owner: Owner, target: LiveTarget, state: string, said = () => ''): Promise<void> {
  let found = '';
  await until(
    async () => {
      found = (await inputState(owner, target)).state;
      return found === state;
    },
    () => `the input is ${found}, not ${state}: ${said().slice(-2_000)}`,
    120_000,
  );
}

/** Waits until an input is live; its stream. */
export async function untilLive(owner: Owner, target: LiveTarget, said = () => ''): Promise<LiveStream> {
  await untilInput(owner, target, 'LIVE', said);
  const { stream } = await inputState(owner, target);
  if (stream === null) throw new Error('a live input has a stream');
  return stream;
}

export interface Recorded {
  /** Of what could not be stored. */
  readonly missingMs: number;
  readonly durationSeconds: number;
}

/** Waits until a broadcast is recorded. */
export async function untilRecorded({ baseUrl, key }: Owner, { id }: Pick<LiveStream, 'id'>): Promise<Recorded> {
  type Data = { stream: { broadcast: { state: string; missingMs: number }; metadata: { duration: number | null } } };
  const read = async () => (await callApi<Data>(baseUrl, key, STREAM, { id })).stream;
  await until(async () => (await read()).broadcast.state === 'RECORDED', 'it was never recorded', 60_000);
  const { broadcast, metadata } = await read();
  return { missingMs: broadcast.missingMs, durationSeconds: metadata.duration ?? 0 };
}
