import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { explainEncodeError, UnexpectedMediaError } from '../encode/encode-errors.ts';
import { defaultLimits } from '../encode/encode-limits.ts';
import { ANONYMOUS } from '../encode/encoder-args.ts';
import { toNumber } from '../inspect/fraction.ts';
import { inspectFile, isFileError } from '../inspect/inspect-file.ts';
import type { AudioFacts, MediaFacts, VideoFacts } from '../inspect/media-facts.ts';
import { isDurationPlausible } from '../inspect/plausible-duration.ts';
import { pinnedInput } from '../inspect/probe.ts';
import { anySize, ownGraphs, rebuiltTimes, type Survey, type SurveyedPictures, surveyFile } from '../inspect/survey.ts';
import { audioRungs } from '../ladder/audio-rungs.ts';
import { planLadder } from '../ladder/ladder.ts';
import type { Runner } from '../runner.ts';
import { textSubtitles } from '../subtitles/subtitles.ts';
import type { IndexedCopy } from './indexed-copy.ts';
import type { RemuxOptions } from './remux-file.ts';

/** What can be decoded of a file could not be encoded: the fault is ours. */
export class UniformCopyError extends UnexpectedMediaError {}

/** Raised with every change of how copies are made. */
export const UNIFORM_VERSION = 1;
const NAME = 'source';

/**
 * Decodes all of a file and encodes it with hardly any loss, as a file that can be encoded in any way: all pictures
 * have the size of the largest, which others are scaled into, and one format; all sound has as many channels as the
 * most; times are rebuilt. The same version of ffmpeg makes the same bytes. Null where nothing can be decoded.
 * @throws UniformCopyError where what can be decoded cannot be encoded; RunError for failures that are not the file's:
 *   aborted, disk full, tool missing.
 */
export async function uniformCopy(
  runner: Runner,
  path: string,
  facts: MediaFacts,
  { workDir, signal }: RemuxOptions,
): Promise<IndexedCopy | null> {
  const survey = await decodedWhole(runner, path, facts, signal);
  const decodable = survey && decodableStreams(facts, survey);
  if (!decodable || (decodable.video === null && decodable.audio === null)) return null;
  await runner.prepareWorkDir(workDir);
  try {
    const options = { cwd: workDir, inputs: [path], limits: uniformLimits(decodable, survey), signal };
    await runner.run('ffmpeg', uniformArgs(decodable, survey), options);
  } catch (error) {
    const explained = explainEncodeError(error);
    throw explained instanceof UnexpectedMediaError
      ? new UniformCopyError(explained.text, { cause: error })
      : explained;
  }
  const copy = join(workDir, NAME);
  const inspected = await inspectFile(runner, copy, { signal });
  if (!inspected.ok) throw new UniformCopyError(inspected.message);
  return { path: copy, sizeBytes: (await stat(copy)).size, facts: described(inspected.facts, decodable) };
}

/** Null where the file cannot be decoded. */
async function decodedWhole(
  runner: Runner,
  path: string,
  facts: MediaFacts,
  signal: AbortSignal,
): Promise<Survey | null> {
  try {
    return await surveyFile(runner, path, facts, signal);
  } catch (error) {
    if (isFileError(error)) return null;
    throw error;
  }
}

/** Without streams of which nothing can be decoded. */
function decodableStreams(facts: MediaFacts, { pictures, sound }: Survey): MediaFacts {
  const { video, audio, otherAudio } = facts;
  return { ...facts, video: pictures && video, audio: sound && audio, otherAudio: sound ? otherAudio : [] };
}

function uniformArgs(facts: MediaFacts, survey: Survey): string[] {
  const { video } = facts;
  const { pictures, sound } = survey;
  const tracks = tracksOf(facts);
  const texts = textSubtitles(facts);
  const channels = (track: AudioFacts, index: number) =>
    Math.max(track.channels, index === 0 ? (sound?.channels ?? 0) : 0);
  const chains = [
    ...(video && pictures ? [`[0:${video.index}]${pictureFilters(facts, video, pictures).join(',')}[v]`] : []),
    ...tracks.map((track, index) => `[0:${track.index}]${soundFilters(facts, channels(track, index))}[a${index}]`),
  ];
  return [
    ...[...anySize(facts), ...pinnedInput(facts.demuxer), ...ownGraphs(chains)],
    ...(video && pictures ? ['-map', '[v]', ...pictureOptions(facts, video, pictures)] : []),
    ...tracks.flatMap((_, index) => ['-map', `[a${index}]`]),
    ...(tracks.length > 0 ? ['-c:a', 'alac'] : []),
    ...texts.flatMap(({ index }) => ['-map', `0:${index}`]),
    ...(texts.length > 0 ? ['-c:s', 'mov_text'] : []),
    ...[...ANONYMOUS, '-fflags', '+bitexact', '-f', 'mov', NAME],
  ];
}

function tracksOf({ audio, otherAudio }: MediaFacts): AudioFacts[] {
  return audio === null ? [] : [audio, ...otherAudio];
}

/** Formats in which pictures stay as they are. */
const KEPT_FORMATS: ReadonlySet<string> = new Set([
  ...['yuv420p', 'yuvj420p', 'yuv422p', 'yuv444p', 'yuv420p10le', 'yuv422p10le', 'yuv444p10le'],
]);

function pictureFilters(facts: MediaFacts, video: VideoFacts, pictures: SurveyedPictures): string[] {
  const [width, height] = [even(pictures.width), even(pictures.height)];
  const [format = '', ...others] = pictures.pixelFormats;
  const isKept = others.length === 0 && !pictures.coloursChange && KEPT_FORMATS.has(format);
  const sar = 'if(gt(sar\\,8)+lt(sar\\,1/8)+lt(abs(sar-1)\\,0.005)\\,1\\,sar)';
  const fitted = [
    `w=2*round(min(${width}\\,${height}*iw*${sar}/ih)/2)`,
    `h=2*round(min(${height}\\,${width}*ih/(iw*${sar}))/2)`,
    'flags=bicubic:eval=frame',
  ];
  const deep = pictures.pixelFormats.some((each) => /(?:p|gray|rgb|bgr|rgba)(?:9|10|12|14|16)(?:le|be)?$/.test(each));
  const converted = isKept ? [] : ['out_color_matrix=bt709', 'out_range=tv'];
  const matrix = 'range=tv:colorspace=bt709';
  const tags =
    video.hdr === null ? [`setparams=${matrix}:color_primaries=bt709:color_trc=bt709`] : [`setparams=${matrix}`];
  return [
    timesOf(facts, video, pictures),
    `scale=${[...fitted, ...converted].join(':')}`,
    `format=${isKept ? format : deep ? 'yuv420p10le' : 'yuv420p'}`,
    `pad=w=${width}:h=${height}:x=-1:y=-1:eval=frame`,
    'setsar=1',
    ...(isKept ? [] : tags),
  ];
}

/** The grid of a steady file exactly; otherwise as in the file, without jumps. */
function timesOf(facts: MediaFacts, { frameRate }: VideoFacts, { isSteady, startSeconds }: SurveyedPictures): string {
  if (!isSteady || frameRate === null) return rebuiltTimes(facts, 'video');
  return `settb=${frameRate.den}/${frameRate.num},setpts=N+${Math.round(startSeconds * toNumber(frameRate))}`;
}

function even(pixels: number): number {
  return Math.max(2, 2 * Math.round(pixels / 2));
}

/** Four times the bit rate that the largest rendition has at most. */
const RATE_FACTOR = 4;

function pictureBps(facts: MediaFacts): number {
  return RATE_FACTOR * Math.max(1_000_000, ...planLadder(facts).video.map(({ maxrateBps }) => maxrateBps));
}

/** So many threads on every machine: what they write depends on it. */
const THREADS = '4';

/** Units of time stamps in a second, where they have no grid. */
const TICKS = 90_000;

function pictureOptions(
  facts: MediaFacts,
  { interlaced, frameRate }: VideoFacts,
  { isSteady }: SurveyedPictures,
): string[] {
  const bps = pictureBps(facts);
  const grid = isSteady && frameRate !== null ? frameRate : { num: TICKS, den: 1 };
  const fields =
    interlaced === null ? [] : ['-flags', '+ildct+ilme', '-x264-params', `${interlaced === 'tt' ? 'tff' : 'bff'}=1`];
  return [
    ...[
      '-fps_mode',
      'passthrough',
      '-enc_time_base',
      `${grid.den}:${grid.num}`,
      '-video_track_timescale',
      `${grid.num}`,
    ],
    ...['-c:v', 'libx264', '-preset', 'superfast', '-crf', '14', '-g', '60', '-threads', THREADS, ...fields],
    ...['-maxrate', `${bps}`, '-bufsize', `${2 * bps}`],
  ];
}

const LAYOUTS: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' };

/** Gaps are filled; sound that begins late does so in the copy, too. */
function soundFilters(facts: MediaFacts, channels: number): string {
  const layout = LAYOUTS[channels <= 2 ? channels : channels <= 6 ? 6 : 8];
  return `${rebuiltTimes(facts, 'audio')},aresample=48000:async=1,aformat=sample_fmts=s16p:channel_layouts=${layout}`;
}

function secondsOf({ pictures, sound }: Survey): number {
  return Math.max(pictures?.endSeconds ?? 0, sound?.endSeconds ?? 0);
}

function uniformLimits(facts: MediaFacts, survey: Survey) {
  const measured = { ...facts, durationMs: 1000 * secondsOf(survey) };
  const limits = defaultLimits(measured);
  return { ...limits, outputBytes: mostUniformBytes(measured) };
}

/** ALAC of 16 bits. */
const SOUND_BPS_OF_CHANNEL = 800_000;

/** Maximum size of the copy of a file of this length. Pure. */
export function mostUniformBytes(facts: MediaFacts): number {
  const channels = audioRungs(planLadder(facts)).reduce((sum, rung) => sum + rung.source.channels, 0);
  const bps = (facts.video ? 1.2 * pictureBps(facts) : 0) + SOUND_BPS_OF_CHANNEL * Math.max(2, channels);
  return 64 * 1024 ** 2 + Math.ceil(((facts.durationMs ?? 0) / 8000) * bps);
}

/** With what the container of the copy does not say. */
function described(copy: MediaFacts, source: MediaFacts): MediaFacts {
  const named = (track: AudioFacts, index: number): AudioFacts => {
    const { language, title, bitrateBps } = tracksOf(source)[index] ?? track;
    return { ...track, language, title, bitrateBps };
  };
  // In the order of the file, whichever is the default.
  const [audio = null, ...otherAudio] = tracksOf(copy)
    .sort((one, other) => one.index - other.index)
    .map(named);
  const texts = textSubtitles(source);
  const missingMs = (source.missingMs ?? 0) + missingIn(copy, source);
  return {
    ...copy,
    ...(missingMs > 0 ? { missingMs } : {}),
    video: copy.video && { ...copy.video, bitrateBps: source.video?.bitrateBps ?? copy.video.bitrateBps },
    ...{ audio, otherAudio, chapters: source.chapters },
    subtitles: copy.subtitles.flatMap(({ index, codec }, place) => {
      const text = texts[place];
      return text ? [{ ...text, index, codec }] : [];
    }),
  };
}

/** By how much less can be decoded than a file has by its headers; 0 within the tolerance. */
function missingIn(copy: MediaFacts, source: MediaFacts): number {
  const [foundMs, declaredMs] = [copy.durationMs ?? 0, source.durationMs ?? 0];
  return foundMs >= declaredMs || isDurationPlausible(foundMs / 1000, declaredMs) ? 0 : declaredMs - foundMs;
}
