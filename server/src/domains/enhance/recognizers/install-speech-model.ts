import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { checkSpeechModel, RunError, type Runner, SpeechError } from '../../../media/index.ts';
import type { GuardedFetch } from '../../../platform/fetch/guarded-fetch.ts';
import { isModelFile, type PublishedModel, speechModelFolder } from './speech-models.ts';

export interface InstallTools {
  readonly dataDir: string;
  readonly runner: Pick<Runner, 'runProgram'>;
  readonly fetch: GuardedFetch;
  /** Models by the names by which they can be installed. */
  readonly published: Readonly<Record<string, PublishedModel>>;
  readonly signal: AbortSignal;
}

export interface InstalledModel {
  readonly model: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** Of a download, over a slow line. */
const DOWNLOAD_MS = 6 * 3_600_000;
/** Models are no secrets, and programs in the sandbox may run as another user. */
const FOLDER_MODE = 0o755;
const FILE_MODE = 0o644;

/**
 * Installs a published model by its name, or the file at a path, once the engine has loaded it. It takes the place of
 * the model that is installed; whatever fails, nothing has changed.
 * @throws AppError INVALID_INPUT for what cannot be used; others where the download or this machine is to blame.
 */
export async function installSpeechModel(tools: InstallTools, source: string): Promise<InstalledModel> {
  const published = Object.hasOwn(tools.published, source) ? tools.published[source] : undefined;
  const name = basename(published ? new URL(published.url).pathname : source);
  if (!isModelFile(name))
    throw unusable(
      t`The file of a model is named *.bin; models by name are ${Object.keys(tools.published).join(', ')}.`,
    );
  const folder = speechModelFolder(tools.dataDir);
  await mkdir(folder, { recursive: true });
  for (const path of [join(tools.dataDir, 'models'), folder]) await chmod(path, FOLDER_MODE);
  const partial = join(folder, `.installing-${process.pid}`);
  try {
    const written = published ? await download(tools, published, partial) : await copy(tools, source, partial);
    await chmod(partial, FILE_MODE);
    await check(tools, partial);
    const path = join(folder, name);
    await rename(partial, path);
    const others = (await readdir(folder)).filter((other) => other !== name);
    for (const other of others) await rm(join(folder, other), { force: true });
    return { model: basename(name, '.bin'), path, ...written };
  } finally {
    await rm(partial, { force: true });
  }
}

type Written = Pick<InstalledModel, 'sizeBytes' | 'sha256'>;

async function download({ fetch, signal }: InstallTools, model: PublishedModel, path: string): Promise<Written> {
  // Twice as much, so that the error of another file is the one below.
  const limits = { maxBytes: 2 * model.sizeBytes, timeoutMs: DOWNLOAD_MS, signal };
  const { stream, sizeBytes: declared } = await fetch(model.url, limits).catch(downloadFailed(model));
  if (declared !== null && declared !== model.sizeBytes) {
    stream.destroy();
    throw unusable(t`The server of the model has another file: ${declared} bytes instead of ${model.sizeBytes}.`);
  }
  const written = await write(stream, path, signal).catch(downloadFailed(model));
  if (written.sizeBytes !== model.sizeBytes || written.sha256 !== model.sha256)
    throw unusable(t`The server of the model sent another file: ${written.sizeBytes} bytes with the SHA-256
      ${written.sha256}.`);
  return written;
}

/** Throws errors of the fetcher, which are for people who send an address, as those of this download. */
function downloadFailed({ url }: PublishedModel): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('SERVICE_UNAVAILABLE', t`The model could not be downloaded: ${error.message}`, {
      suggestedFix: t`Try again later, or download ${url} elsewhere and give its file to install-speech-model.`,
      cause: error,
    });
  };
}

async function copy({ signal }: InstallTools, source: string, path: string): Promise<Written> {
  const found = await stat(source).catch(() => null);
  if (!found?.isFile()) throw unusable(t`There is no file at ${source}.`);
  return write(createReadStream(source), path, signal);
}

async function write(stream: Readable, path: string, signal: AbortSignal): Promise<Written> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  await pipeline(
    stream,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        sizeBytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(path),
    { signal },
  );
  return { sizeBytes, sha256: hash.digest('hex') };
}

async function check({ runner, signal }: InstallTools, path: string): Promise<void> {
  try {
    await checkSpeechModel(runner, path, signal);
  } catch (error) {
    if (error instanceof SpeechError) throw unusable(t`The model was not installed: ${error.message}`, error);
    if (!(error instanceof RunError) || error.reason === 'aborted') throw error;
    throw new AppError('SERVICE_UNAVAILABLE', t`The model could not be checked: ${error.message}`, { cause: error });
  }
}

function unusable(message: ReturnType<typeof t>, cause?: unknown): AppError {
  return new AppError('INVALID_INPUT', message, {
    suggestedFix: t`Install a multilingual model of whisper.cpp in its ggml format.`,
    cause,
  });
}
