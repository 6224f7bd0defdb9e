import { setTimeout as pause } from 'node:timers/promises';
import { Mp4Error } from '@reelgraph/mp4';
import { type Text, t } from '../../../kernel/languages/message.ts';
import { RunError, type Runner, type SandboxedChild } from '../../../media/index.ts';
import { hostInUrl } from '../../../platform/config/listen-hosts.ts';
import type { Platform } from '../../../platform/platform.ts';
import { FlvProgram } from '../ingest/flv-program.ts';
import type { LiveBroadcasts, ReceivedEncoder } from '../ingest/live-broadcasts.ts';
import { RateLimit } from '../ingest/rate-limit.ts';
import type { SrtInput } from '../inputs/live-inputs.store.ts';
import { openPassphrase } from '../inputs/stream-key.ts';
import { faultOfSrt, SRT_SOURCE } from './srt-source.ts';

/** Debian's package srt-tools has it. It takes one caller, and ends when that one is gone. */
export const SRT_PROGRAM = 'srt-live-transmit';
/** A connection over which nothing comes for so long is lost. */
const SILENCE_MS = 15_000;
/** Before a program that ended without a caller is started again, and at most after it did so many times. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** It has no files; its memory is mostly what waits to be read. */
const LIMITS = {
  cpuSeconds: 7 * 86_400,
  memoryBytes: 256 * 1024 ** 2,
  outputBytes: 0,
  wallMs: Number.POSITIVE_INFINITY,
};
const CONNECTED = /^Accepted SRT/;

export interface SrtTools {
  readonly platform: Pick<Platform, 'clock' | 'config' | 'log' | 'secrets'>;
  readonly runner: Pick<Runner, 'startProgram'>;
  readonly broadcasts: LiveBroadcasts;
  /** The address to listen on. */
  readonly host: string;
}

/** Receives the encoder of one live input by SRT: the passphrase admits it, and encrypts what it sends. */
export class SrtListener {
  readonly #tools: SrtTools;
  readonly #running: Promise<void>;
  readonly #stopping = new AbortController();
  #input: SrtInput;
  #child: SandboxedChild | null = null;
  /** Whether an encoder sends. */
  #isReceiving = false;

  constructor(tools: SrtTools, input: SrtInput) {
    [this.#tools, this.#input] = [tools, input];
    this.#running = this.#run();
  }

  get port(): number {
    return this.#input.port;
  }

  /** Has the next encoder need the present passphrase; one that sends goes on. */
  update(input: SrtInput): void {
    if (input.passphrase.equals(this.#input.passphrase)) return;
    this.#input = input;
    if (!this.#isReceiving) this.#child?.kill();
  }

  /** Ends the connection, and frees the port. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#child?.kill();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log } = this.#tools.platform;
    let failures = 0;
    while (!this.#stopping.signal.aborted) {
      const input = this.#input;
      const hadEncoder = await this.#listen(input).catch((error: unknown) => {
        // Not its output, which has the passphrase.
        const reason = error instanceof RunError ? error.message : error;
        if (input === this.#input)
          log.warn({ error: reason, port: input.port }, 'SRT cannot be received, will be retried');
        return false;
      });
      failures = hadEncoder || input !== this.#input ? 0 : failures + 1;
      if (failures > 0) await this.#pause(Math.min(PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS));
    }
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => {});
  }

  /** Waits for one encoder and receives it to its end; whether there was one. */
  async #listen(input: SrtInput): Promise<boolean> {
    const { runner } = this.#tools;
    const silence = new Silence(() => this.#child?.kill());
    const child = await runner.startProgram(SRT_PROGRAM, this.#arguments(input), {
      ...{ limits: LIMITS, network: true, interactive: true },
      onStderrLine: (line) => {
        if (CONNECTED.test(line)) silence.restart();
      },
    });
    this.#child = child;
    if (this.#stopping.signal.aborted || input !== this.#input) child.kill();
    const arriving = silence.watched(child.stdout as AsyncIterable<Buffer>);
    const first = await arriving.next().catch(() => null); // what was wrong says how it ends
    const bytes: Buffer | undefined = first?.value;
    if (bytes) {
      const connection = new SrtConnection(this.#tools, input, () => child.kill());
      await connection.serve(bytes, arriving, (is) => {
        this.#isReceiving = is;
      });
    }
    silence.end();
    child.kill();
    // What nobody reads keeps a program that has ended from being closed.
    child.stdout.destroy();
    this.#child = null;
    await child.ended.catch((error: unknown) => {
      if (!bytes && !isClosed(error)) throw error;
    });
    return bytes !== undefined;
  }

  #arguments({ port, passphrase }: SrtInput): string[] {
    const { host, platform } = this.#tools;
    const options = ['mode=listener', `passphrase=${openPassphrase(platform.secrets, passphrase)}`];
    if (host.includes(':')) options.push(`ipv6only=${host === '::' ? 0 : 1}`);
    return ['-auto:no', '-loglevel:fatal', `srt://${hostInUrl(host)}:${port}?${options.join('&')}`, 'file://con'];
  }
}

/** One encoder, from its first bytes to its end. */
class SrtConnection {
  readonly #tools: SrtTools;
  readonly #input: SrtInput;
  readonly #close: () => void;
  readonly #rate: RateLimit;

  constructor(tools: SrtTools, input: SrtInput, close: () => void) {
    [this.#tools, this.#input, this.#close] = [tools, input, close];
    this.#rate = new RateLimit(tools.platform.clock.now());
  }

  async serve(first: Buffer, arriving: AsyncIterable<Buffer>, onReceiving: (is: boolean) => void): Promise<void> {
    const { broadcasts, platform } = this.#tools;
    const { id: inputId, passphrase } = this.#input;
    const encoder = await broadcasts.accept({ inputId, passphrase }, this.#close);
    if ('refusal' in encoder) {
      platform.log.info({ reason: String(encoder.refusal), inputId }, 'encoder refused');
      return;
    }
    this.#rate.follow(encoder.limits);
    onReceiving(true);
    try {
      await this.#receive(encoder, first, arriving);
    } catch (error) {
      await this.#explain(encoder, error);
    } finally {
      onReceiving(false);
      // SRT does not say whether an encoder has ended or is lost.
      await broadcasts.release(encoder, false);
    }
  }

  async #receive(encoder: ReceivedEncoder, first: Buffer, arriving: AsyncIterable<Buffer>): Promise<void> {
    const { runner, platform } = this.#tools;
    const tools = { runner, ffmpeg: platform.config.FFMPEG_PATH };
    const program = await FlvProgram.start(tools, SRT_SOURCE, encoder.session);
    try {
      await this.#push(program, encoder, first);
      for await (const bytes of arriving) await this.#push(program, encoder, bytes);
      await program.end();
    } finally {
      await program.kill();
    }
  }

  async #push(program: FlvProgram, { session }: ReceivedEncoder, bytes: Buffer): Promise<void> {
    session.encoder?.health.bytes(bytes.length);
    this.#rate.take(bytes.length, this.#tools.platform.clock.now());
    await program.push(bytes);
  }

  async #explain(encoder: ReceivedEncoder, error: unknown): Promise<void> {
    const { broadcasts, platform } = this.#tools;
    const fault = faultOf(error);
    if (fault === null) {
      if (!isClosed(error)) platform.log.warn({ error, inputId: this.#input.id }, 'an SRT connection failed');
      return;
    }
    platform.log.info({ reason: String(error), inputId: this.#input.id }, 'encoder refused');
    await broadcasts.refuse(encoder, fault);
  }
}

function faultOf(error: unknown): Text | null {
  if (error instanceof Mp4Error) return t`The encoder describes its streams wrongly: ${error.message}`;
  return faultOfSrt(error);
}

/** Whether a program was ended here. */
function isClosed(error: unknown): boolean {
  if (error instanceof RunError) return error.reason === 'aborted';
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ABORT_ERR';
}

/** Notices when nothing comes from a caller. */
class Silence {
  readonly #onSilence: () => void;
  #timer: NodeJS.Timeout | null = null;

  constructor(onSilence: () => void) {
    this.#onSilence = onSilence;
  }

  restart(): void {
    if (this.#timer) this.#timer.refresh();
    else this.#timer = setTimeout(this.#onSilence, SILENCE_MS);
  }

  /** The same bytes. */
  async *watched(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const bytes of source) {
      this.restart();
      yield bytes;
    }
  }

  end(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }
}
