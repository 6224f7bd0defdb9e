import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { localized } from '../../../kernel/languages/catalogs.ts';
import {
  createRunner,
  DEFAULT_PATH,
  findExecutable,
  isComplete,
  probeTools,
  RunError,
  sandboxAdvice,
} from '../../../media/index.ts';
import type { Config } from '../../../platform/config/config.ts';
import { DiskSpace } from '../../../platform/storage/storage-space.ts';

import { type Check, type Finding, ok, problem, reasonOf, warning } from './finding.ts';

const GIB = 1024 ** 3;
/** Below this share of the disk, storage should be added. */
const LOW_SHARE = 0.1;

/** The machine: its disk, its ports, the sandbox and the programs. */
export function hostChecks(config: Config): Check[] {
  return [
    { name: 'data folder', run: () => checkDataFolder(config) },
    { name: 'ports', run: () => checkPorts(config) },
    { name: 'sandbox', run: () => checkSandbox(config) },
    { name: 'programs', run: () => checkPrograms(config) },
  ];
}

async function checkDataFolder({ DATA_DIR, STORAGE_RESERVE }: Config): Promise<Finding[]> {
  const probe = join(DATA_DIR, `.doctor-${process.pid}`);
  try {
    await mkdir(DATA_DIR, { recursive: true });
    await writeFile(probe, 'ok');
  } catch (error) {
    const advice = 'Let the user of the server write to it, and make space on its disk.';
    return [problem(`DATA_DIR ${DATA_DIR} cannot be written: ${reasonOf(error)}.`, advice)];
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
  return [ok(`${DATA_DIR} can be written.`), spaceFinding(await new DiskSpace(DATA_DIR, STORAGE_RESERVE).read())];
}

function spaceFinding({ freeBytes, reserveBytes, totalBytes }: Awaited<ReturnType<DiskSpace['read']>>): Finding {
  const free = `${(freeBytes / GIB).toFixed(1)} GiB of ${(totalBytes / GIB).toFixed(1)} GiB are free`;
  const advice = 'Delete contents, add storage, or set STORAGE_RESERVE.';
  if (freeBytes < reserveBytes)
    return problem(`${free}, less than STORAGE_RESERVE: uploads are refused and PostgreSQL may stop.`, advice);
  return freeBytes < LOW_SHARE * totalBytes ? warning(`${free}, less than a tenth.`, advice) : ok(`${free}.`);
}

async function checkPorts({ PORT, RTMP_PORT, RTMPS_PORT, RTMPS_CERT_FILE, listenHosts }: Config): Promise<Finding[]> {
  const ports: [name: string, port: number][] = [
    ['PORT', PORT],
    ...(typeof RTMP_PORT === 'number' ? [['RTMP_PORT', RTMP_PORT] as [string, number]] : []),
    ...(RTMPS_CERT_FILE === undefined ? [] : [['RTMPS_PORT', RTMPS_PORT] as [string, number]]),
  ];
  return Promise.all(
    ports
      .filter(([, port]) => port !== 0)
      .map(async ([name, port]) => portFinding(name, port, await bindError(port, listenHosts[0] ?? '::'))),
  );
}

async function portFinding(name: string, port: number, code: string | null): Promise<Finding> {
  if (code === null)
    return ok(`${name} ${port} is free: the server does not run on this machine, or without that role.`);
  if (code === 'EACCES')
    return problem(`${name} ${port} may not be used by this user.`, 'Use a port from 1024, or give the capability.');
  if (code !== 'EADDRINUSE') return problem(`${name} ${port} cannot be used (${code}).`, 'Check HOST.');
  if (name !== 'PORT') return ok(`${name} ${port} is in use.`);
  const isOurs = await fetch(`http://localhost:${port}/healthz`, { signal: AbortSignal.timeout(5_000) })
    .then(async (response) => typeof ((await response.json()) as { version?: unknown }).version === 'string')
    .catch(() => false);
  return isOurs
    ? ok(`The server responds on PORT ${port}.`)
    : warning(`PORT ${port} is in use, and /healthz does not respond there.`, 'Stop that program, or set PORT.');
}

/** The code of the error of listening; null when it is possible. */
function bindError(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

const openRunner = ({ FFMPEG_PATH, FFPROBE_PATH, SANDBOX }: Config) =>
  createRunner({
    ...{ ffmpegPath: FFMPEG_PATH, ffprobePath: FFPROBE_PATH },
    ...{ require: SANDBOX === 'require', missingTools: 'when-run' },
  });

async function checkSandbox(config: Config): Promise<Finding> {
  const { sandbox, isUsable } = await openRunner(config);
  if (isComplete(sandbox)) return ok(`Programs that read media are isolated completely (${sandbox.method}).`);
  const missing = Object.entries(sandbox.protections).flatMap(([name, holds]) => (holds ? [] : [name]));
  const advice = sandbox.warnings.map((each) => localized(sandboxAdvice(each), 'en')).join(' ');
  const lacks = `${sandbox.method} does not provide ${missing.join(', ')}`;
  return isUsable
    ? warning(`Isolation of media programs is incomplete: ${lacks}. SANDBOX=prefer uses it.`, advice)
    : problem(`No media is processed: SANDBOX=require needs what is missing: ${lacks}.`, advice);
}

async function checkPrograms(config: Config): Promise<Finding[]> {
  const optional = [
    programFinding(
      ['heif-dec', 'heif-convert'],
      'HEIC photos are refused',
      'Install libheif-examples where images are decoded.',
    ),
    ...(config.SRT_PORTS === undefined
      ? []
      : [programFinding(['srt-live-transmit'], 'SRT does not work', 'Install srt-tools.')]),
    ...(config.SPEECH === 'whisper-cpp'
      ? [programFinding([config.WHISPER_CPP_PATH], 'no captions are made', 'Install whisper.cpp.')]
      : []),
    ...(config.YOUTUBE_DOWNLOADER === undefined
      ? []
      : [programFinding([config.YOUTUBE_DOWNLOADER], 'imports do not work', 'Install yt-dlp.')]),
  ];
  return [...(await ffmpegFindings(config)), ...optional];
}

async function ffmpegFindings(config: Config): Promise<Finding[]> {
  try {
    const { ffmpegVersion, problems, toneMapping, codecs } = await probeTools(await openRunner(config));
    if (problems.length > 0) return problems.map((text) => problem(text, 'Install it, or set FFMPEG_PATH.'));
    const added = codecs.length === 0 ? 'no codec beside H.264' : `H.264 and ${codecs.join(', ')}`;
    return [
      ok(`ffmpeg ${ffmpegVersion} encodes ${added}.`),
      ...(toneMapping ? [] : [warning('HDR videos are refused: ffmpeg lacks zscale.', 'Install one with zscale.')]),
    ];
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return [problem(`ffmpeg or ffprobe cannot be run: ${reasonOf(error)}.`, 'Install ffmpeg, or set FFMPEG_PATH.')];
  }
}

function programFinding(names: readonly string[], otherwise: string, advice: string): Finding {
  const found = names.find((name) => findExecutable(name, DEFAULT_PATH) !== null);
  return found === undefined
    ? warning(`${names.join(' or ')} is not installed: ${otherwise}.`, advice)
    : ok(`${found} is installed.`);
}
