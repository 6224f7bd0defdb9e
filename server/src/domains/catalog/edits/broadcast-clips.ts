import type { TimeRange } from '../../../media/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';

/** Makes clips of broadcasts, whose videos are segments and no file. Higher domains implement it. */
export interface BroadcastClips {
  /**
   * The broadcast, or its recording, that is the video of a content; null where that has a file, or is none.
   */
  find(tx: Transaction, contentId: string): Promise<ClippedBroadcast | null>;
}

export interface ClippedBroadcast {
  readonly videoAssetId: string;
  /** What is stored of it, in milliseconds from its beginning; null while that is nothing. */
  readonly stored: TimeRange | null;
  /** Whether more follows. */
  readonly isOpen: boolean;
  /**
   * Has a range of what is stored made the video of the content for which a job waits.
   * @throws AppError INVALID_INPUT naming `field` where nothing is stored in the range.
   */
  startClip(tx: Transaction, range: TimeRange, clip: BroadcastClipOrder): Promise<void>;
}

export interface BroadcastClipOrder {
  readonly jobId: string;
  /** Captions of the clip that become those of its speech. */
  readonly spokenCaptions: readonly string[];
  readonly field: string;
}
