import { type Amf0Value, writeAmf0 } from './amf0.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { MESSAGE } from './messages.ts';
import { KEYFRAME, Peer } from './peer.fixture.ts';

/** The results of changed sessions: all errors are to be RtmpErrors. */
interface Outcome {
  /** How many went on to their end. */
  readonly whole: number;
  /** How many came to publish. */
  readonly published: number;
  /** Other errors. */
  readonly errors: readonly string[];
}

/** Plays a session so many times, each time with other changes, by a seeded generator. */
export async function playMutated(count: number, seed: number): Promise<Outcome> {
  const session = recordedSession();
  const random = generator(seed);
  const errors: string[] = [];
  let [whole, published] = [0, 0];
  for (let round = 0; round < count; round += 1) {
    const changed = mutated(session, random);
    const peer = new Peer();
    try {
      for (let at = 0; at < changed.length; at += 700)
        if (!(await peer.session.push(changed.subarray(at, at + 700)))) break;
      whole += 1;
    } catch (error) {
      if (!(error instanceof Error && error.name === 'RtmpError')) errors.push(String(error));
    }
    if (peer.events.includes('publish a-key')) published += 1;
  }
  return { whole, published, errors };
}

/** The bytes of a short session. */
function recordedSession(): Buffer {
  const writer = new ChunkWriter();
  const command = (...values: Amf0Value[]) =>
    writer.write(3, { type: MESSAGE.commandAmf0, timestamp: 0, streamId: 0, payload: writeAmf0(...values) });
  const media = Array.from({ length: 10 }, (_, index) =>
    writer.write(4, {
      ...{ type: index % 2 ? MESSAGE.audio : MESSAGE.video, timestamp: 20 * index, streamId: 1 },
      payload: Buffer.concat([index % 2 ? Buffer.from('af01', 'hex') : KEYFRAME, Buffer.alloc(300, index)]),
    }),
  );
  return Buffer.concat([
    Buffer.from([3]),
    Buffer.alloc(2 * 1536),
    command('connect', 1, { app: 'live', tcUrl: 'rtmp://127.0.0.1/live', list: [1, 2] }),
    command('releaseStream', 2, null, 'a-key'),
    command('createStream', 4, null),
    command('publish', 5, null, 'a-key', 'live'),
    ...media,
    command('deleteStream', 6, null, 1),
  ]);
}

/** One to four changes behind the handshake: a byte, a part that is left out, repeated, or random. */
function mutated(bytes: Buffer, random: () => number): Buffer {
  const start = 1 + 2 * 1536;
  let changed = Buffer.from(bytes);
  for (let changes = 1 + Math.floor(4 * random()); changes > 0; changes -= 1) {
    const at = start + Math.floor((changed.length - start) * random());
    const length = 1 + Math.floor(40 * random());
    const [before, part, behind] = [
      changed.subarray(0, at),
      changed.subarray(at, at + length),
      changed.subarray(at + length),
    ];
    const kind = Math.floor(4 * random());
    if (kind === 0) changed[at] = Math.floor(256 * random());
    else if (kind === 1) changed = Buffer.concat([before, behind]);
    else if (kind === 2) changed = Buffer.concat([before, part, part, behind]);
    else changed = Buffer.concat([before, part.map(() => Math.floor(256 * random())), behind]);
  }
  return changed;
}

/** Numbers from 0 to 1 by a linear congruential generator (Numerical Recipes, chapter 7.1). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
