import type { EncodePlan } from '../media/index.ts';

/** How a video of a minute with sound in stereo and no pictures is encoded. */
export const SOUND_PLAN: Omit<EncodePlan, 'chunks'> = {
  facts: {
    ...{ demuxer: 'mov', durationMs: 60_000, randomAccess: true, startMs: 0, video: null, otherAudio: [], cover: null },
    ...{ chapters: [], subtitles: [], undecodable: { video: [], audio: [] } },
    audio: {
      ...{ index: 0, codec: 'aac', channels: 2, channelLayout: 'stereo', sampleRate: 48_000 },
      ...{ bitrateBps: null, language: null, title: null },
    },
  },
  timeline: { baseRate: { num: 1, den: 1 }, segmentFrames: 4, cuts: null },
  stages: [],
};

/** The same with pictures in 720p. */
export const PICTURE_PLAN: Omit<EncodePlan, 'chunks'> = {
  ...SOUND_PLAN,
  facts: {
    ...SOUND_PLAN.facts,
    video: {
      ...{ index: 1, codec: 'h264', profile: 'High', width: 1280, height: 720, displayWidth: 1280, displayHeight: 720 },
      ...{ rotation: 0, sar: { num: 1, den: 1 }, frameRate: { num: 25, den: 1 }, variableFrameRate: false },
      ...{ pixelFormat: 'yuv420p', bitDepth: 8, hdr: null, interlaced: null, bitrateBps: null },
      colour: { primaries: null, transfer: null, matrix: null, range: null },
    },
  },
  timeline: { baseRate: { num: 25, den: 1 }, segmentFrames: 100, cuts: null },
};
