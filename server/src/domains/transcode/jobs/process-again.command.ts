import { AppError } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import { planVersion } from '../../../media/index.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import { type AdminCommands, type AdminPlatform, countFlag, TEXT, textFlag, UsageError } from '../../accounts/index.ts';
import { type ProcessedVideo, processedVideoOf, processedVideos } from './processed-videos.store.ts';
import { startProcessing } from './start-processing.ts';

const LIMIT = 100;
/** Other videos are processed first. */
const PRIORITY = -1;

type Tools = AdminPlatform & { readonly jobs: Pick<Jobs, 'send'> };

/** The command that processes videos again. */
export function processAgainCommand(jobs: Pick<Jobs, 'send'>): AdminCommands {
  return {
    'process-again': {
      about:
        'Processes videos again that an older version of the encoder has processed, after all other videos; they are ' +
        'played as they are meanwhile. What would not change is not encoded again. Prints how many were started and ' +
        `how many are left. --limit: how many at most (default ${LIMIT}). --content: this one in any case.`,
      usage: '[--limit N | --content DID]',
      options: { limit: TEXT, content: TEXT },
      async run(platform, flags) {
        const content = textFlag(flags, 'content');
        if (content === undefined) return processOlder({ ...platform, jobs }, countFlag(flags, 'limit', LIMIT));
        const id = content.split('/').at(-1) ?? '';
        if (!isUuid(id)) throw new UsageError('--content is not the id of a content.');
        const video = await processedVideoOf(platform.db, id);
        if (!video) throw noVideo();
        return { started: (await start({ ...platform, jobs }, video)) ? 1 : 0 };
      },
    },
  };
}

async function processOlder(platform: Tools, limit: number): Promise<{ started: number; left: number }> {
  let [started, left] = [0, 0];
  for await (const video of processedVideos(platform.db)) {
    if (video.plan && planVersion(video.plan) !== 'older') continue;
    if (started < limit && (await start(platform, video))) started += 1;
    else left += 1;
  }
  return { started, left };
}

function noVideo(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`This content has no processed video that can be processed again.`, {
    field: 'content',
    suggestedFix: t`Its uploaded file must be stored, and no job may be processing it; jobs lists those that do.`,
  });
}

/** False where the video is being processed, or cannot be. */
async function start(platform: Tools, { contentId, videoAssetId }: ProcessedVideo): Promise<boolean> {
  try {
    const request = { contentId, videoAssetId, again: true, priority: PRIORITY };
    return (await platform.db.transaction((tx) => startProcessing(platform, tx, request))).started;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
