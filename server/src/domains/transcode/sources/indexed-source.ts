import { join } from 'node:path';
import { AppError, StorageFullError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import {
  copyWithIndex,
  expectedPackageBytes,
  INDEXED_PATH,
  INDEXED_VERSION,
  lacksIndex,
  type MediaFacts,
  mostRemuxedBytes,
  mostUniformBytes,
  type Runner,
  UNIFORM_VERSION,
  uniformCopy,
} from '../../../media/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { orderObjectPurge, packagePrefix, watchSpace, withdrawObjectPurge, workFolders } from '../../assets/index.ts';
import { reserveDerived } from '../jobs/reserve-derived.ts';
import type { ClaimedJob } from '../jobs/transcode-jobs.store.ts';
import { isOfVideo } from './is-of-video.ts';
import type { LocalSources } from './local-sources.ts';

export interface IndexedSourceTools {
  readonly platform: Pick<Platform, 'config' | 'clock' | 'log' | 'db' | 'store' | 'space'>;
  readonly runner: Runner;
  readonly sources: LocalSources;
}

/** A file as it was uploaded. */
export interface UploadedFile {
  readonly key: string;
  readonly sizeBytes: number;
  /** Identifies it: its size and ETag. */
  readonly tag: string;
  readonly facts: MediaFacts;
}

/** A stored copy of an uploaded file that is encoded in its place. */
export interface IndexedSource {
  readonly key: string;
  readonly sizeBytes: number;
  readonly facts: MediaFacts;
  /** As that of the uploaded file: the same file is always copied to the same bytes. */
  readonly tag: string;
}

/** A job that ends without a plan leaves a copy that no row names. */
const ABANDONED_MS = 86_400_000;

/**
 * Stores a copy of an uploaded video without random access, in which every moment is found by an index, in the package
 * of the job. Null for other files, where the copy would not be the same video, and where there is no space for it.
 */
export async function storeIndexed(
  tools: IndexedSourceTools,
  held: Held,
  uploaded: UploadedFile,
  signal: AbortSignal,
): Promise<IndexedSource | null> {
  if (!lacksIndex(uploaded.facts) || !(await hasSpace(tools, held, uploaded))) return null;
  const indexed = await storeCopy(tools, held, uploaded, 'indexed', signal);
  if (!indexed)
    tools.platform.log.info(
      { videoAssetId: held.videoAssetId },
      'video is encoded from its start to its end, because it cannot be indexed',
    );
  return indexed;
}

/**
 * Stores a copy of an uploaded file that was decoded whole, in the package of the job.
 * @throws AppError TRANSCODE_FAILED where there is no space for it or nothing of the file can be decoded,
 *   PROCESSING_FAULT where it cannot be encoded.
 */
export async function storeUniform(
  tools: IndexedSourceTools,
  held: Held,
  uploaded: UploadedFile,
  signal: AbortSignal,
): Promise<IndexedSource> {
  const { facts } = uploaded;
  await reserveDerived(tools.platform, held, mostUniformBytes(facts) + expectedPackageBytes({ facts }));
  const uniform = await storeCopy(tools, held, uploaded, 'uniform', signal);
  if (uniform) return uniform;
  throw new AppError('TRANSCODE_FAILED', t`The file is damaged: nothing of its picture or sound can be decoded.`);
}

type Held = ClaimedJob & { readonly videoAssetId: string };

async function storeCopy(
  tools: IndexedSourceTools,
  held: Held,
  uploaded: UploadedFile,
  kind: CopyKind,
  signal: AbortSignal,
): Promise<IndexedSource | null> {
  const { config, clock, db, log, space, store } = tools.platform;
  const { contentId, videoAssetId, jobId, attempt } = held;
  const key = packagePrefix(contentId, videoAssetId, jobId, attempt) + INDEXED_PATH;
  return workFolders(config.DATA_DIR, log).use((folder) =>
    watchSpace(space, signal, async (watched) => {
      const options = { workDir: join(folder, kind), signal: watched };
      const copy = await tools.sources.use(uploaded.key, (path) =>
        MAKE_COPY[kind](tools.runner, path, uploaded.facts, options),
      );
      if (!copy) return null;
      await orderObjectPurge(db, key, clock.now() + ABANDONED_MS);
      const { sizeBytes } = await store.putFile(key, copy.path, { contentType: 'application/octet-stream' });
      return { key, sizeBytes, facts: copy.facts, tag: copyTag(uploaded.tag, kind) };
    }),
  );
}

/** Keeps the copy for a plan that names it, in the transaction that stores the plan. */
export async function keepIndexed(tx: Transaction, { key }: Pick<IndexedSource, 'key'>): Promise<void> {
  await withdrawObjectPurge(tx, key);
}

const NAMES = { indexed: `indexed-${INDEXED_VERSION}`, uniform: `uniform-${UNIFORM_VERSION}` } as const;

/** How a copy is made that is encoded in place of the uploaded file: see `copyWithIndex` and `uniformCopy`. */
export type CopyKind = keyof typeof NAMES;

const KINDS: readonly CopyKind[] = ['indexed', 'uniform'];

/** Identifies the copy of the file with a tag. Pure. */
export function copyTag(uploadedTag: string, kind: CopyKind): string {
  return `${uploadedTag} ${NAMES[kind]}`;
}

/** The kind of the copy with this tag; null for a file as it was uploaded. Pure. */
export function copyKindOf(tag: string): CopyKind | null {
  return KINDS.find((kind) => tag.endsWith(` ${NAMES[kind]}`)) ?? null;
}

/** Whether a video was encoded from the uploaded file with this tag, or from a copy of it. Pure. */
export function isEncodedFrom({ sourceTag }: { readonly sourceTag: string }, uploadedTag: string): boolean {
  return sourceTag === uploadedTag || KINDS.some((kind) => sourceTag === copyTag(uploadedTag, kind));
}

/** Makes a copy of the kind. As `copyWithIndex` and `uniformCopy`. */
export const MAKE_COPY: Readonly<Record<CopyKind, typeof copyWithIndex>> = {
  indexed: copyWithIndex,
  uniform: uniformCopy,
};

/** Whether there is space for a copy of the file beside the package that is encoded from it, which is reserved. */
async function hasSpace(
  { platform }: IndexedSourceTools,
  held: ClaimedJob,
  { sizeBytes, facts }: UploadedFile,
): Promise<boolean> {
  try {
    await reserveDerived(platform, held, mostRemuxedBytes(sizeBytes) + expectedPackageBytes({ facts }));
    return true;
  } catch (error) {
    if (!isOfVideo(error) && !(error instanceof StorageFullError)) throw error;
    platform.log.info({ error, jobId: held.jobId }, 'there is no space to index the video');
    return false;
  }
}
