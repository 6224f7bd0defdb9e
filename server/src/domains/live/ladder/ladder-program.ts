import { type FragmentedSample, FragmentReader, type H264Entry } from '@reelgraph/mp4';
import { type LiveRung, liveRungArgs, type Runner, type SandboxedChild } from '../../../media/index.ts';

/** It has no files; its memory is that of pictures of three sizes. */
const LIMITS = {
  cpuSeconds: 30 * 86_400,
  memoryBytes: 1024 ** 3,
  outputBytes: 0,
  wallMs: Number.POSITIVE_INFINITY,
};

export interface LadderTools {
  readonly runner: Pick<Runner, 'startProgram'>;
  /** The program. */
  readonly ffmpeg: string;
}

/** What it makes of each size, by the position of that. */
export interface LadderOutput {
  readonly onEntry: (rung: number, entry: H264Entry) => void;
  /** A picture; its times are those of the source in 1/90000 s, from its first picture on. */
  readonly onPicture: (rung: number, picture: FragmentedSample) => void;
}

/** Encodes pictures in smaller sizes, by one ffmpeg in the sandbox. */
export class LadderProgram {
  readonly #child: SandboxedChild;
  /** Fulfilled once all it made was read: with null, or with why it failed. */
  readonly ended: Promise<unknown>;

  private constructor(child: SandboxedChild, output: LadderOutput) {
    this.#child = child;
    child.stdin.on('error', () => {}); // it has ended, and says why
    this.ended = this.#read(output).then(
      () => null,
      (error: unknown) => {
        child.kill();
        return error;
      },
    );
  }

  /** Beside other work: viewers of the encoder's own pictures come first. */
  static async start(
    { runner, ffmpeg }: LadderTools,
    rungs: readonly LiveRung[],
    output: LadderOutput,
  ): Promise<LadderProgram> {
    return new LadderProgram(await runner.startProgram(ffmpeg, liveRungArgs(rungs), { limits: LIMITS }), output);
  }

  /** What was given and not read. */
  get waitingBytes(): number {
    return this.#child.stdin.writableLength;
  }

  /** Takes an initialization segment, then fragments. */
  push(bytes: Buffer): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(bytes);
  }

  /** Nothing follows; it encodes what it has. */
  end(): void {
    this.#child.stdin.end();
  }

  kill(): void {
    this.#child.kill();
  }

  async #read({ onEntry, onPicture }: LadderOutput): Promise<void> {
    const rungs: number[] = [];
    const reader = new FragmentReader({
      onTrack: ({ id, entry }) => {
        if (entry.kind !== 'h264') throw new Error('A size is not encoded in H.264.');
        rungs.push(id);
        onEntry(rungs.length - 1, entry);
      },
      onSample: (sample) => onPicture(rungs.indexOf(sample.track), sample),
    });
    for await (const bytes of this.#child.stdout as AsyncIterable<Buffer>) reader.push(bytes);
    await this.#child.ended;
  }
}
