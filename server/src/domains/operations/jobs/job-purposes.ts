/** What the jobs of videos are for. */
export const JOB_PURPOSES = {
  PROCESS: 'Processes an uploaded video.',
  REPEAT: 'Processes a video again, which is played as it was meanwhile.',
  RENDITIONS: 'Encodes a processed video in further sizes or codecs; members of the channel do not see it.',
  ENHANCE: 'Upscales or upmixes a video.',
  CAPTIONS: 'Makes captions from speech, or translates them.',
} as const;

export type JobPurpose = keyof typeof JOB_PURPOSES;
