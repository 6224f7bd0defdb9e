/**
 * Sound in 5.1 and 7.1 from mono and stereo, whose stereo downmix is the original, and what is measured of it: loudness
 * (ITU-R BS.1770-4) and true peak. README.md has an example.
 */

export { CHANNELS, DOWNMIX_GAIN, type UpmixLayout, type UpmixSource } from './layouts.ts';
export { gainOf, type UpmixFigures, UpmixMeter } from './measure-upmix.ts';
export { ProgrammeLoudness } from './programme-loudness.ts';
export { TruePeak } from './true-peak.ts';
export { UPMIX_RATE, Upmixer, type UpmixerOptions } from './upmixer.ts';
