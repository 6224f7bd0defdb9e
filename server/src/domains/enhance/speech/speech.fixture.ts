import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ContentId, newId } from '../../../kernel/ids.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import type { StoredText } from '../../../kernel/languages/message.ts';
import type { RunLimits, Runner } from '../../../media/index.ts';
import { readClip } from '../../../media/testing.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { Logger } from '../../../platform/log.ts';
import { mediaAddress } from '../../assets/media-address.ts';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { workFolders } from '../../assets/work-folders.ts';
import { mediaRoutes } from '../../delivery/media.routes.ts';
import { openTestProcessing, type TestProcessing } from '../../transcode/encoding/processing.fixture.ts';
import { openAiRecognizer } from '../recognizers/openai-recognizer.ts';
import { openService, type ServiceEndpoint } from '../recognizers/service-endpoint.ts';
import type { SpeechRecognizer } from '../recognizers/speech-recognizer.ts';
import { whisperCppRecognizer } from '../recognizers/whisper-cpp-recognizer.ts';
import { FakeSpeechService, said } from './fake-speech-service.fixture.ts';
import { makeCaptions } from './make-captions.handler.ts';
import { startTranscription } from './order-transcription.ts';

export type SpeechVideo = Awaited<ReturnType<TestProcessing['upload']>>;
type WhisperRunner = Pick<Runner, 'runProgram' | 'prepareWorkDir'>;

export const API_KEY = 'sk-test-0123456789';
const WHISPER_CLI = fileURLToPath(new URL('./whisper-cli.fixture.mjs', import.meta.url));
export const H264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-c:a', 'aac'];
const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=5:d=6'];
/** Sound from 0 to 2 s and from 4 to 6 s. */
export const SOUND = ['-f', 'lavfi', '-i', "sine=f=300:r=48000:d=6,volume='if(between(t,2,4),0,1)':eval=frame"];

/** Videos with sound, a speech service, and a worker that runs jobs when it is told to. */
export class SpeechFixture {
  readonly processing: TestProcessing;
  readonly service: FakeSpeechService;
  readonly endpoint: ServiceEndpoint;
  readonly #server: { address: string; close(): Promise<void> };
  /** Messages for the operator: level, text and facts. */
  logged: string[] = [];
  readonly log: Pick<Logger, 'error' | 'warn'>;

  private constructor(
    processing: TestProcessing,
    service: FakeSpeechService,
    server: { address: string; close(): Promise<void> },
  ) {
    this.processing = processing;
    this.service = service;
    this.#server = server;
    const write = (level: string) => (facts: object, message: string) =>
      void this.logged.push(`${level} ${message} ${JSON.stringify(facts)}`);
    this.log = { error: write('error'), warn: write('warn') } as Pick<Logger, 'error' | 'warn'>; // as they are called
    this.endpoint = openService({ name: 'speech', url: `${service.url}/`, apiKey: API_KEY }, this.log);
  }

  static async open(): Promise<SpeechFixture> {
    const processing = await openTestProcessing({ work: false });
    const server = await serveAssetRoutes(mediaRoutes(processing.platform));
    return new SpeechFixture(processing, await FakeSpeechService.start(), server);
  }

  async close(): Promise<void> {
    await this.endpoint.close();
    await this.service.close();
    await this.#server.close();
    await this.processing.close();
  }

  /** Removes captions and their jobs, and has the service answer two words. */
  async reset(): Promise<void> {
    this.logged = [];
    this.service.requests.length = 0;
    this.service.abandoned = 0;
    this.service.answer = said('Hello, everybody.');
    await this.rows('delete from captions');
    await this.rows("delete from transcode_jobs where purpose = 'CAPTIONS'");
  }

  rows<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.processing.platform.db.run<Row>(sql('test', text), values);
  }

  clip(name: string, ...args: string[]): Promise<Buffer> {
    return readClip(this.processing.runner, name, [...PICTURE, ...args]);
  }

  /** A processed video. */
  async ready(bytes: Buffer): Promise<SpeechVideo> {
    const made = await this.processing.upload(bytes);
    await this.processing.process(await this.processing.submit(made.contentId));
    return made;
  }

  start({ contentId }: SpeechVideo, language: string | null = null, again = false): Promise<string> {
    const { platform } = this.processing;
    const tools = this.processing.tools();
    return platform.db.transaction((tx) =>
      startTranscription(tools, tx, { contentId: contentId as ContentId, language, again, field: 'id' }),
    );
  }

  /** Runs a job; by default, by the service. */
  run(
    jobId: string,
    recognizer: SpeechRecognizer | null = openAiRecognizer(this.endpoint, 'whisper-1'),
    { longestPieceMs, signal = new AbortController().signal }: { longestPieceMs?: number; signal?: AbortSignal } = {},
  ): Promise<void> {
    const { platform, runner } = this.processing;
    const pieces = longestPieceMs === undefined ? {} : { longestPieceMs };
    return makeCaptions({ platform, runner, recognizer, translator: null, ...pieces }, jobId, { signal, attempt: 1 });
  }

  /** State, error code and what was decided. */
  async stateOf(jobId: string): Promise<string> {
    const [found] = await this.rows<{ state: string; decision: StoredText | null }>(
      `select concat_ws(' ', j.status, j.error_code) as state, k.receipt -> 'decision' as decision
       from transcode_jobs j join caption_jobs k on k.job_id = j.id where j.id = $1`,
      [jobId],
    );
    if (!found) return 'none';
    return found.decision ? `${found.state} ${localized(found.decision, 'en')}` : found.state;
  }

  async errorOf(jobId: string): Promise<string | undefined> {
    const found = await this.rows<{ error: string }>(
      'select error_message as error from transcode_jobs where id = $1',
      [jobId],
    );
    return found[0]?.error;
  }

  /** What made them, language, label, kind, whether they are the default, and cues. */
  async captionsOf({ contentId }: SpeechVideo): Promise<string[]> {
    const found = await this.rows<{ text: string }>(
      `select concat_ws(' ', automatic, language, label, kind, is_default,
         regexp_replace(vtt, '^.*LOCAL:00:00:00.000\\n\\n', '')) as text
       from captions where content_id = $1 order by created_at, id`,
      [contentId],
    );
    return found.map(({ text }) => text);
  }

  async textOf({ contentId, assetId }: SpeechVideo, name: string): Promise<string> {
    const { secrets, clock } = this.processing.platform;
    const key = `media/${contentId}/${assetId}/${name}`;
    const address = mediaAddress({ baseUrl: this.#server.address, secrets, nowMs: clock.now() }, key, false);
    return (await fetch(address)).text();
  }

  /** Captions in English that a person wrote, later than all others. */
  async byPerson({ contentId, channelId }: SpeechVideo, label: string): Promise<void> {
    await this.rows(
      `insert into captions (id, channel_id, content_id, language, label, kind, vtt, created_at, updated_at)
       values ($1, $2, $3, 'en', $4, 'SUBTITLES', 'WEBVTT', now() + interval '1 hour', now())`,
      [newId(), channelId, contentId, label],
    );
  }

  /** Cancels a running job, as cancelJob does. */
  async cancel(jobId: string): Promise<void> {
    await this.rows("update transcode_jobs set status = 'CANCELLING' where id = $1 and status = 'TRANSCODING'", [
      jobId,
    ]);
  }

  /** whisper.cpp with a model that does as its text says; see the stand-in, which Node runs in the real sandbox. */
  async whisper(
    does: string,
    options: { isMissing?: boolean; model?: string; limits?: Partial<RunLimits> } = {},
  ): Promise<SpeechRecognizer> {
    const { platform, runner } = this.processing;
    const standIn: WhisperRunner = {
      prepareWorkDir: (...args) => runner.prepareWorkDir(...args),
      runProgram: (_, args, run) =>
        runner.runProgram(process.execPath, [WHISPER_CLI, ...args], {
          ...run,
          readOnly: [...(run.readOnly ?? []), WHISPER_CLI],
        }),
    };
    const model = options.model ?? join(platform.config.DATA_DIR, 'ggml-test.bin');
    if (options.model === undefined) await writeFile(model, does);
    const limits = { cpuSeconds: 60, memoryBytes: 8 * 1024 ** 3, outputBytes: 1024 ** 2, wallMs: 60_000 };
    return whisperCppRecognizer({
      ...{ command: '/nowhere/whisper-cli', model, log: this.log, limits: () => ({ ...limits, ...options.limits }) },
      runner: options.isMissing ? runner : standIn,
      folders: workFolders(platform.config.DATA_DIR, platform.log),
    });
  }
}
