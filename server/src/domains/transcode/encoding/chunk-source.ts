import { join } from 'node:path';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { inspectFile, type Runner } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { workFolders } from '../../assets/index.ts';
import type { ClaimedChunk } from '../plans/encode-chunks.store.ts';
import { copyKindOf, MAKE_COPY } from '../sources/indexed-source.ts';
import type { LocalSources } from '../sources/local-sources.ts';

interface Tools {
  readonly platform: Pick<Platform, 'config' | 'log'>;
  readonly runner: Runner;
  readonly sources: LocalSources;
}

/**
 * Runs `work` with the file that a chunk is encoded from. For an evicted size of a video that was encoded from a copy
 * of the uploaded file (transcode/README.md), the copy is made again on this machine, once for all chunks that are
 * encoded here. `stopping` is aborted when the worker stops.
 * @throws AppError TRANSCODE_FAILED where the file cannot be copied any more.
 */
export function useChunkSource<T>(
  { platform, runner, sources }: Tools,
  { sourceKey, sourceTag, folder }: Pick<ClaimedChunk, 'sourceKey' | 'sourceTag' | 'folder'>,
  stopping: AbortSignal,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const kind = folder === null || sourceTag === null ? null : copyKindOf(sourceTag);
  if (kind === null) return sources.use(sourceKey, work);
  const copy = (use: (path: string) => Promise<void>): Promise<void> =>
    workFolders(platform.config.DATA_DIR, platform.log).use(async (workFolder) => {
      const made = await sources.use(sourceKey, async (path) => {
        // It was inspected before it was encoded, so a tool for its colours is there.
        const inspected = await inspectFile(runner, path, { toneMapping: true, signal: stopping });
        const options = { workDir: join(workFolder, kind), signal: stopping };
        return inspected.ok ? MAKE_COPY[kind](runner, path, inspected.facts, options) : null;
      });
      if (!made) throw new AppError('TRANSCODE_FAILED', t`The uploaded file cannot be copied any more.`);
      await use(made.path);
    });
  return sources.useMade(`${sourceKey} ${sourceTag}`, copy, work);
}
