import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isUpscalerInstalled } from '../server/src/media/index.ts';
import { table } from './results.ts';
import { ask, type Caller, ffmpeg } from './upload-client.ts';

const GOAL_PERCENT = 90;
const FACTOR = 2;
const LOOK_MS = 100;
const LIMIT_MS = 900_000;

/** A job with the time that was estimated for it when it was ordered. */
interface Estimated {
  readonly name: string;
  readonly job: string;
  readonly seconds: number;
  readonly orderedAt: number;
}

/** A job that has ended. */
export interface Measured {
  readonly name: string;
  readonly estimated: number;
  readonly actual: number;
}

/** What a file was uploaded as. */
export interface UploadedVideo {
  readonly content: string;
  readonly job: string;
  readonly lastByteAt: number;
}

export type Upload = (caller: Caller, file: string) => Promise<UploadedVideo>;

const READY = '{ readyInMs }';
const ESTIMATE = `query ($input: EstimateInput!) { estimate(input: $input) ${READY} }`;
const STATUS = 'query ($id: DID!) { job(id: $id) { status error } }';
const ENHANCE = {
  upmix: [
    `query ($id: DID!) { estimate: estimateUpmix(id: $id) ${READY} }`,
    'mutation ($id: DID!) { enhanced: upmixContent(id: $id) { job { id } } }',
  ],
  upscale: [
    `query ($id: DID!) { estimate: estimateUpscale(id: $id) ${READY} }`,
    'mutation ($id: DID!) { enhanced: upscaleContent(id: $id) { job { id } } }',
  ],
} as const;

/** Uploads and enhancements of short videos, one after the other and several at a time, beside their estimates. */
export class QueueEstimates {
  readonly #caller: Caller;
  readonly #upload: Upload;
  readonly #folder: string;
  readonly #measured: Measured[] = [];
  #files = 0;

  constructor(folder: string, caller: Caller, upload: Upload) {
    this.#folder = folder;
    this.#caller = caller;
    this.#upload = upload;
  }

  /** Has the speed of this machine measured: the first job of each kind is estimated without. */
  async warmUp(): Promise<void> {
    const video = await this.#uploadShort('first', 6);
    await this.#ended([video]);
    await this.#ended(await Promise.all(this.#kinds().map((kind) => this.#enhance('first', kind, video.content))));
    this.#measured.length = 0;
  }

  /** Some jobs one by one, then as many at once, while the queue is as the name says. */
  async measure(name: string): Promise<void> {
    const contents: string[] = [];
    for (const seconds of [6, 15]) {
      const video = await this.#uploadShort(`${name}: an upload of ${seconds} s`, seconds);
      await this.#ended([video]);
      contents.push(video.content);
    }
    for (const content of contents)
      for (const kind of this.#kinds()) await this.#ended([await this.#enhance(`${name}: an ${kind}`, kind, content)]);
    const together = [];
    for (const seconds of [6, 10, 15]) together.push(await this.#uploadShort(`${name}: one of three uploads`, seconds));
    await this.#ended(together);
    const enhancements: Estimated[] = [];
    for (const { content } of together)
      for (const kind of this.#kinds())
        enhancements.push(await this.#enhance(`${name}: an ${kind} of several jobs`, kind, content));
    await this.#ended(enhancements);
  }

  /** Prints each job, and how many are within the factor. */
  print(): void {
    const rows = this.#measured.map(({ name, estimated, actual }) => [
      ...[name, `${estimated} s`, `${actual.toFixed(1)} s`, (actual / estimated).toFixed(2)],
    ]);
    const good = this.#measured.filter(({ estimated, actual }) => {
      const ratio = actual / estimated;
      return ratio <= FACTOR && ratio >= 1 / FACTOR;
    });
    console.log(table([['', 'estimated', 'took', 'ratio'], ...rows]));
    const percent = Math.round((100 * good.length) / this.#measured.length);
    console.log(`\nwithin a factor of ${FACTOR}: ${good.length} of ${this.#measured.length} jobs, ${percent} %`);
    console.log(`goal: ${GOAL_PERCENT} %`);
  }

  #kinds(): (keyof typeof ENHANCE)[] {
    return isUpscalerInstalled() ? ['upmix', 'upscale'] : ['upmix'];
  }

  async #uploadShort(name: string, duration: number): Promise<Estimated & { readonly content: string }> {
    this.#files += 1;
    const file = join(this.#folder, `estimated-${this.#files}.mp4`);
    const [width, height] = [480, 270];
    await ffmpeg([
      ...['-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=25:d=${duration}`],
      ...['-f', 'lavfi', '-i', `aevalsrc=sin(440*t)|sin(660*t*${this.#files}):d=${duration}`],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', file],
    ]);
    const input = { durationMs: 1_000 * duration, width, height, frameRate: 25 };
    type Answer = { estimate: { readyInMs: number } };
    const { estimate } = await ask<Answer>(this.#caller, ESTIMATE, { input });
    const { content, job, lastByteAt } = await this.#upload(this.#caller, file);
    return { name, job, content, seconds: estimate.readyInMs / 1_000, orderedAt: lastByteAt };
  }

  async #enhance(name: string, kind: keyof typeof ENHANCE, id: string): Promise<Estimated> {
    const [estimate, order] = ENHANCE[kind];
    type Answer = { estimate: { readyInMs: number } };
    const { readyInMs } = (await ask<Answer>(this.#caller, estimate, { id })).estimate;
    type Ordered = { enhanced: { job: { id: string } } };
    const { job } = (await ask<Ordered>(this.#caller, order, { id })).enhanced;
    return { name, job: job.id, seconds: readyInMs / 1_000, orderedAt: performance.now() };
  }

  /** Waits for jobs, and notes what they took. */
  async #ended(jobs: readonly Estimated[]): Promise<void> {
    const open = new Map(jobs.map((each) => [each.job, each]));
    const begun = performance.now();
    while (open.size > 0) {
      for (const [id, estimated] of open) {
        const { job } = await ask<{ job: { status: string; error: string | null } }>(this.#caller, STATUS, { id });
        if (job.status === 'ERROR' || job.status === 'CANCELLED') throw new Error(`${id}: ${job.error}`);
        if (job.status !== 'COMPLETE') continue;
        open.delete(id);
        const actual = (performance.now() - estimated.orderedAt) / 1000;
        this.#measured.push({ name: estimated.name, estimated: estimated.seconds, actual });
      }
      if (performance.now() - begun > LIMIT_MS) throw new Error(`jobs do not end: ${[...open.keys()].join(', ')}`);
      await sleep(LOOK_MS);
    }
  }
}
