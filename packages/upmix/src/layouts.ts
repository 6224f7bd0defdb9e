/** What can be upmixed, and to what. */
export type UpmixSource = 'mono' | 'stereo';
export type UpmixLayout = '5.1' | '7.1';

/** Gain of centre and surround in a Lo/Ro downmix (ITU-R BS.775-3 annex 4); LFE is left out. */
export const DOWNMIX_GAIN = Math.SQRT1_2;

/**
 * Channels of sources and layouts, as ffmpeg orders them. In 7.1, a back and a side surround together are the surround
 * of 5.1.
 */
export const CHANNELS = {
  mono: ['FC'],
  stereo: ['FL', 'FR'],
  '5.1': ['FL', 'FR', 'FC', 'LFE', 'BL', 'BR'],
  '7.1': ['FL', 'FR', 'FC', 'LFE', 'BL', 'BR', 'SL', 'SR'],
} as const;
