import type { AddedCodec, ImageDecoder, Runner, Stage, UpscalePlan } from '../../../media/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ClaimedJob } from '../jobs/transcode-jobs.store.ts';
import type { EncodedJob } from '../plans/encode-plans.store.ts';
import type { LocalSources } from '../sources/local-sources.ts';

/** The models that enlarge videos on this machine. */
export interface UpscalingModels {
  /**
   * A plan with how its model is run here.
   * @throws AppError TRANSCODE_FAILED where the file of the model is not here, or is another one.
   */
  here(upscale: UpscalePlan): Promise<UpscalePlan>;
}

/** What plans a job: see `processVideo`. */
export interface PlanningTools {
  readonly platform: Pick<Platform, 'config' | 'clock' | 'log' | 'db' | 'store' | 'space' | 'jobs'>;
  readonly runner: Runner;
  readonly sources: LocalSources;
  /** From `probeTools`. */
  readonly toneMapping: boolean;
  readonly ffmpegVersion?: string;
  /** That ffmpeg encodes beside H.264; default all. */
  readonly codecs?: readonly AddedCodec[];
  /** That there are; default all of this version. */
  readonly stages?: readonly Stage[];
  /** Default: those of the platform, on the CPU. */
  readonly models?: UpscalingModels;
}

/** What ends a job: see `finishVideo`. */
export interface FinishingTools {
  readonly platform: Pick<Platform, 'config' | 'clock' | 'log' | 'db' | 'store' | 'space' | 'jobs'>;
  readonly runner: Runner;
  readonly imageDecoder: ImageDecoder;
  readonly sources: LocalSources;
  /** That there are; default all of this version. */
  readonly stages?: readonly Stage[];
}

/** A job of a video that this worker holds. */
export type HeldJob = ClaimedJob & { readonly videoAssetId: string };

/** An attempt to finish a job. */
export interface Finishing {
  readonly signal: AbortSignal;
  /** `unknown` while the transaction is committed. */
  readonly outcome: { unknown: boolean };
}

/** A video whose package is replaced. */
export interface ReplacedVideo {
  readonly contentId: string;
  readonly channelId: string;
  readonly videoAssetId: string;
}

/**
 * What jobs add to processed videos: renditions that are enhanced, or in other codecs. Implemented above this domain,
 * which only encodes what they plan.
 */
export interface Additions {
  /**
   * Plans the encoding of what a job adds.
   * @throws AppError TRANSCODE_FAILED where that is not possible.
   */
  plan(tools: PlanningTools, held: HeldJob, signal: AbortSignal): Promise<void>;
  /** Adds what was encoded to the video, and ends the job. */
  complete(tools: FinishingTools, job: EncodedJob, finishing: Finishing): Promise<void>;
  /** Ends what was added to packages that are replaced; their files are deleted at `dueMs`. */
  dropReplaced(
    platform: Pick<Platform, 'jobs' | 'clock'>,
    tx: Transaction,
    video: ReplacedVideo,
    dueMs: number,
  ): Promise<void>;
  /** Orders what is added to the new package, in the transaction that writes it. */
  orderForNew(platform: Pick<Platform, 'jobs' | 'clock'>, tx: Transaction, video: ReplacedVideo): Promise<void>;
}
