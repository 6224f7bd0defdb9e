import { type Engine, type ExportPosition, type OpenExport, openExport } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { sentences, t } from '../../../kernel/languages/message.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type CredentialReference, referencedCredential } from '../../accounts/index.ts';
import { type ClaimedExport, claimExport, completeExport, failExport } from './data-exports.store.ts';
import { exportDataJob } from './export-data.job.ts';
import {
  DAY_MS,
  FILE_DAYS,
  LONGEST_EXPORT_MS,
  MAX_EXPORT_BYTES,
  PART_BYTES,
  PART_MS,
  TURN_MS,
} from './export-limits.ts';
import { PartBuffer, writePart } from './write-part.ts';

export interface ExportTools {
  readonly platform: Pick<Platform, 'db' | 'clock' | 'store' | 'jobs'>;
  readonly engine: Engine;
  /** Bytes of a part; for tests. */
  readonly partBytes?: number;
}

type Ending = 'complete' | 'turn is over' | 'not ours';

/**
 * Continues an export where its last part ends, for a minute at most; then it waits for its next turn behind the
 * others. Parts are all that counts: a worker may be lost at any point.
 */
export async function exportData(tools: ExportTools, exportId: string, run: JobRun): Promise<void> {
  const { db, clock, jobs } = tools.platform;
  const claimed = await claimExport(db, exportId, isoOf(clock.now()));
  if (!claimed) return;
  if (clock.now() - claimed.createdMs > LONGEST_EXPORT_MS) throw tookTooLong();
  const credential = await credentialOf(tools, claimed);
  const opened = openExport(tools.engine, claimed, credential.kind);
  const reader = { credential, requestId: `export-${exportId}`, signal: run.signal };
  try {
    const ending = await write(tools, exportId, claimed, opened.read(reader, claimed.position));
    if (ending === 'complete') await complete(tools, exportId, claimed.attempt);
    if (ending === 'turn is over') await db.transaction((tx) => jobs.send(tx, exportDataJob, { exportId }));
  } catch (error) {
    if (!isUnauthenticated(error)) throw error;
    // The access tokens of an application are replaced while it works.
    const now = await credentialOf(tools, claimed);
    if (now.kind !== 'oauth' || credential.kind !== 'oauth' || now.tokenHash === credential.tokenHash)
      throw credentialEnded(claimed.credential);
    await db.transaction((tx) => jobs.send(tx, exportDataJob, { exportId }));
  }
}

/** Ends an export that cannot be continued. */
export async function failDataExport(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  exportId: string,
  { code, message, text, fix }: AppError,
): Promise<void> {
  await db.transaction(async (tx) => {
    const failure = { code, text: sentences(text, fix), now: isoOf(clock.now()) };
    const ended = await failExport(tx, exportId, failure);
    if (!ended) return;
    const payload = { code, message };
    await appendEvent(tx, { type: 'export.failed', channelId: ended.channelId, subjectId: exportId, payload });
  });
}

async function write(
  tools: ExportTools,
  id: string,
  { attempt, parts, sizeBytes }: ClaimedExport,
  steps: ReturnType<OpenExport['read']>,
): Promise<Ending> {
  const { platform, partBytes = PART_BYTES } = tools;
  const buffer = new PartBuffer();
  const begun = performance.now();
  let [number, total, stored] = [parts, sizeBytes, begun];
  const flush = async (position: ExportPosition): Promise<boolean> => {
    const taken = buffer.take();
    total += taken.bytes.length;
    if (total > MAX_EXPORT_BYTES) throw tooLarge();
    const isOurs = await writePart(platform, { id, attempt }, number, taken, position);
    number += 1;
    stored = performance.now();
    return isOurs;
  };
  let last: ExportPosition | null = null;
  for await (const step of steps) {
    buffer.add(step);
    last = step.position;
    const now = performance.now();
    const isDue = buffer.bytes >= partBytes || now - stored >= PART_MS || now - begun >= TURN_MS;
    if (!isDue || buffer.lines === 0) continue;
    if (!(await flush(last))) return 'not ours';
    if (now - begun >= TURN_MS) return 'turn is over';
  }
  if (last && buffer.lines > 0 && !(await flush(last))) return 'not ours';
  return 'complete';
}

async function complete({ platform }: ExportTools, exportId: string, attempt: number): Promise<void> {
  const { db, clock } = platform;
  const nowMs = clock.now();
  await db.transaction(async (tx) => {
    const times = { now: isoOf(nowMs), expires: isoOf(nowMs + FILE_DAYS * DAY_MS) };
    const ended = await completeExport(tx, exportId, attempt, times);
    if (!ended) return;
    const { channelId, ...payload } = ended;
    await appendEvent(tx, { type: 'export.completed', channelId, subjectId: exportId, payload });
  });
}

async function credentialOf({ platform }: ExportTools, { accountId, credential }: ClaimedExport) {
  const now = isoOf(platform.clock.now());
  const found = await referencedCredential(platform.db, accountId, credential, now);
  if (!found) throw credentialEnded(credential);
  return found;
}

const ENDED = {
  key: t`The API key that the export reads with has ended.`,
  token: t`The scoped token that the export reads with has ended.`,
  session: t`The session that the export reads with has ended.`,
  oauth: t`The connection of the application that the export reads with has ended.`,
} as const;

function credentialEnded({ kind }: CredentialReference): AppError {
  return new AppError('UNAUTHENTICATED', ENDED[kind], {
    suggestedFix: t`Request the export again with a credential that is valid.`,
  });
}

function tooLarge(): AppError {
  const gigabytes = MAX_EXPORT_BYTES / 1024 ** 3;
  return new AppError('INVALID_INPUT', t`The export is larger than ${gigabytes} GiB.`, {
    field: 'input.query',
    suggestedFix: t`Select fewer fields, or export parts of the list with a filter or after.`,
  });
}

function tookTooLong(): AppError {
  return new AppError('INVALID_INPUT', t`The export took longer than ${LONGEST_EXPORT_MS / 3_600_000} hours.`, {
    field: 'input.query',
    suggestedFix: t`Select fewer fields, or export parts of the list with a filter or after.`,
  });
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof AppError && error.code === 'UNAUTHENTICATED';
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
