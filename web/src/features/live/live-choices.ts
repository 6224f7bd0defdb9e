import type { LiveLatency, LiveRecording, LiveStart, Visibility } from '../../gql/generated/types.gen.ts';
import { t } from '../../lib/i18n.ts';

type Choices<Value extends string> = Readonly<Record<Value, string>>;

/** Who can watch, the most cautious first, which is the default. */
export const VISIBILITIES: Choices<Visibility> = {
  PRIVATE: t`Private: only channel members`,
  UNLISTED: t`Unlisted: anyone with the link`,
  PUBLIC: t`Public: listed for everyone`,
};

/** How far viewers are behind. */
export const LATENCIES: Choices<LiveLatency> = {
  LOW: t`Low: viewers are about 2 seconds behind`,
  NORMAL: t`Normal: 5 to 10 seconds, with fewer requests`,
};

/** How a broadcast begins. */
export const STARTS: Choices<LiveStart> = {
  AUTOMATIC: t`Automatic: live as soon as the encoder sends`,
  MANUAL: t`Manual: you check the preview and go live`,
};

/** What is kept. */
export const RECORDINGS: Choices<LiveRecording> = {
  ALL: t`Everything: each broadcast becomes a video`,
  ROLLING: t`The last 30 minutes of each broadcast`,
  NONE: t`Nothing is kept`,
};

/** The same in few words, for the summary of a live input. */
export const VISIBILITY_WORDS: Choices<Visibility> = {
  PRIVATE: t`Private`,
  UNLISTED: t`Unlisted`,
  PUBLIC: t`Public`,
};

export const LATENCY_WORDS: Choices<LiveLatency> = { LOW: t`low latency`, NORMAL: t`normal latency` };

export const RECORDING_WORDS: Choices<LiveRecording> = {
  ALL: t`everything is recorded`,
  ROLLING: t`the last 30 minutes are recorded`,
  NONE: t`nothing is recorded`,
};

export const START_WORDS: Choices<LiveStart> = { AUTOMATIC: t`starts automatically`, MANUAL: t`starts manually` };
