import { inputArg } from '@reelgraph/sandbox';
import { AUDIO_CODECS, COVER_CODECS, VIDEO_CODECS } from './codecs.ts';
import { type Fraction, parseFraction, reduced, toNumber } from './fraction.ts';
import type { AudioFacts, MediaFacts, SubtitleFacts, VideoFacts } from './media-facts.ts';

/** Each is encoded and stored. */
const MAX_AUDIO_TRACKS = 8;
/** Maximum analyzed part of a file for detecting its streams. */
const ANALYSIS = ['-probesize', '25000000', '-analyzeduration', '20000000'];

/**
 * Arguments that open input `n` (see `inputArg`) with the demuxer from `sniff` and the file protocol only, so that a
 * file cannot make the tool open others.
 */
export function pinnedInput(demuxer: string, index = 0): string[] {
  return ['-protocol_whitelist', 'file', '-f', demuxer, ...ANALYSIS, '-i', inputArg(index)];
}

/** ffprobe arguments whose output `parseProbe` reads. */
export function probeArgs(demuxer: string): string[] {
  const stream =
    'index,codec_type,codec_name,profile,width,height,pix_fmt,sample_aspect_ratio,r_frame_rate,avg_frame_rate,time_base,field_order,' +
    'color_range,color_space,color_transfer,color_primaries,bits_per_raw_sample,channels,channel_layout,sample_rate,start_time,duration,bit_rate';
  const entries = [
    'format=start_time,duration',
    `stream=${stream}`,
    'stream_disposition=default,forced,hearing_impaired,attached_pic,timed_thumbnails',
    'stream_tags=language,title,rotate',
    'stream_side_data=rotation',
    'chapter=start_time,end_time',
    'chapter_tags=title',
  ];
  return ['-show_chapters', '-show_entries', entries.join(':'), '-of', 'json', ...pinnedInput(demuxer)];
}

interface RawStream {
  index: number;
  codec_type?: string;
  codec_name?: string;
  profile?: string;
  width?: number;
  height?: number;
  pix_fmt?: string;
  sample_aspect_ratio?: string;
  r_frame_rate?: string;
  avg_frame_rate?: string;
  time_base?: string;
  field_order?: string;
  color_range?: string;
  color_space?: string;
  color_transfer?: string;
  color_primaries?: string;
  bits_per_raw_sample?: string;
  channels?: number;
  channel_layout?: string;
  sample_rate?: string;
  start_time?: string;
  duration?: string;
  bit_rate?: string;
  disposition?: {
    default?: number;
    forced?: number;
    hearing_impaired?: number;
    attached_pic?: number;
    timed_thumbnails?: number;
  };
  tags?: { language?: string; title?: string; rotate?: string };
  side_data_list?: { rotation?: number }[];
}

interface RawProbe {
  streams?: RawStream[];
  chapters?: { start_time?: string; end_time?: string; tags?: { title?: string } }[];
  format?: { start_time?: string; duration?: string };
}

/** Demuxers that find a moment by an index, or by decoding what is before it. */
const INDEXED: ReadonlySet<string> = new Set(['mov', 'matroska']);

/** Reads ffprobe's JSON and chooses the streams to play. Pure. @throws SyntaxError when `json` is not JSON. */
export function parseProbe(json: string, demuxer: string): MediaFacts {
  const raw = JSON.parse(json) as RawProbe; // ffprobe's own output; every field is optional and checked where used
  const streams = raw.streams ?? [];
  const videoStreams = streams.filter((stream) => stream.codec_type === 'video');
  const isCover = (stream: RawStream) =>
    stream.disposition?.attached_pic === 1 || stream.disposition?.timed_thumbnails === 1;
  const moving = videoStreams.filter((stream) => !isCover(stream));
  const sounds = streams.filter((stream) => stream.codec_type === 'audio');
  const video = pickVideo(moving.filter((stream) => VIDEO_CODECS.has(stream.codec_name ?? '')));
  const audible = sounds.filter((stream) => AUDIO_CODECS.has(stream.codec_name ?? '') && (stream.channels ?? 0) > 0);
  const audio = pickAudio(audible);
  const cover = videoStreams.find((stream) => isCover(stream) && COVER_CODECS.has(stream.codec_name ?? ''));
  const unknown = (list: RawStream[], known: ReadonlySet<string>) =>
    [...new Set(list.map((stream) => stream.codec_name ?? 'unknown'))].filter((codec) => !known.has(codec));
  const chosen = [video, audio].filter((stream) => stream !== null);
  return {
    demuxer,
    randomAccess: INDEXED.has(demuxer),
    ...spanOf(
      chosen,
      raw.format ?? {},
      streams.some((stream) => stream.codec_type === 'subtitle' || (stream !== audio && sounds.includes(stream))),
    ),
    video: video === null ? null : videoFacts(video),
    audio: audio === null ? null : audioFacts(audio),
    otherAudio: audible
      .filter((stream) => stream !== audio)
      .slice(0, MAX_AUDIO_TRACKS - 1)
      .map(audioFacts),
    cover:
      cover === undefined
        ? null
        : { index: cover.index, codec: cover.codec_name ?? '', width: cover.width ?? 0, height: cover.height ?? 0 },
    chapters: (raw.chapters ?? []).map((chapter) => ({
      startMs: Math.round((seconds(chapter.start_time) ?? 0) * 1000),
      endMs: Math.round((seconds(chapter.end_time) ?? 0) * 1000),
      title: chapter.tags?.title ?? null,
    })),
    subtitles: streams
      .filter((stream) => stream.codec_type === 'subtitle')
      .map((stream) => subtitleFacts(stream, demuxer)),
    undecodable: { video: unknown(moving, VIDEO_CODECS), audio: unknown(sounds, AUDIO_CODECS) },
  };
}

/** How times of the picture are counted. */
export interface PictureClock {
  /** The time that tools take for 0, in seconds. */
  readonly start: number;
  /** The time base in seconds. */
  readonly tick: number;
  /** The rate that the file declares. */
  readonly nominal: Fraction | null;
}

/** The clock of the picture that was chosen, in what ffprobe printed; null where it has none. Pure. */
export function pictureClock(json: string, { demuxer, video, audio }: MediaFacts): PictureClock | null {
  const raw = JSON.parse(json) as RawProbe; // as above
  const of = (index: number | undefined) => raw.streams?.find((stream) => stream.index === index);
  const stream = of(video?.index);
  const base = parseFraction(stream?.time_base);
  if (stream === undefined || base === null) return null;
  // ffmpeg lets the tracks that it reads of transport and program streams begin at 0.
  const starts = isDiscontinuous(demuxer) ? [stream, of(audio?.index)].map((each) => seconds(each?.start_time)) : [];
  const known = [...starts, ...(starts.length > 0 ? [] : [seconds(raw.format?.start_time)])];
  const start = Math.min(...known.filter((each) => each !== null));
  const nominal = sane(parseFraction(stream.r_frame_rate));
  return { start: Number.isFinite(start) ? start : 0, tick: toNumber(base), nominal };
}

/** Demuxers of broadcast formats, in which timestamps may jump: after an edit, a restart or 26.5 hours (33 bits). */
const DISCONTINUOUS = new Set(['mpegts', 'mpeg']);

/** Whether the duration that a demuxer reports cannot be believed, because it is the difference of two timestamps. */
export function isDiscontinuous(demuxer: string): boolean {
  return DISCONTINUOUS.has(demuxer);
}

function seconds(text: string | undefined): number | null {
  const value = Number.parseFloat(text ?? '');
  return Number.isFinite(value) ? value : null;
}

function positive(text: string | undefined): number | null {
  const value = seconds(text);
  return value !== null && value > 0 ? value : null;
}

/** First by `scores`, compared in order, largest wins; ties go to the stream that comes first in the file. */
function best(streams: readonly RawStream[], scores: (stream: RawStream) => number[]): RawStream | null {
  const ranked = streams.map((stream) => ({ stream, score: scores(stream) }));
  ranked.sort(
    (a, b) => b.score.map((value, index) => value - (a.score[index] ?? 0)).find((difference) => difference !== 0) ?? 0,
  );
  return ranked[0]?.stream ?? null;
}

/** A stream with less than this share of the frames of another one is stills beside the video ("top shots"). */
const STILLS_SHARE = 0.25;

/**
 * The largest picture that moves: where a file holds several sizes of one video, the ladder is made from the largest.
 */
function pickVideo(streams: readonly RawStream[]): RawStream | null {
  const frames = (stream: RawStream): number => {
    const average = parseFraction(stream.avg_frame_rate);
    return average === null ? 0 : toNumber(average) * (positive(stream.duration) ?? 1);
  };
  const most = Math.max(...streams.map(frames));
  return best(streams, (stream) => [
    Number(frames(stream) >= STILLS_SHARE * most),
    (stream.width ?? 0) * (stream.height ?? 0),
    stream.disposition?.default ?? 0,
  ]);
}

/** The default audio stream (the original language); among several, the one with the most channels. */
function pickAudio(streams: readonly RawStream[]): RawStream | null {
  return best(streams, (stream) => [
    stream.disposition?.default ?? 0,
    stream.channels ?? 0,
    Number(stream.sample_rate ?? 0),
  ]);
}

/** A file that begins later than this, or as much before zero, may count its duration from zero. */
const LATE_START_SECONDS = 0.5;

/**
 * Duration over the chosen streams: those of others (subtitles or audio tracks running on) do not count. For streams
 * without a duration (Matroska) it is the file's, if there are no other streams and it starts at zero; otherwise null:
 * measure it.
 */
function spanOf(
  chosen: readonly RawStream[],
  format: { start_time?: string; duration?: string },
  hasOthers: boolean,
): { durationMs: number | null; startMs: number } {
  const starts = chosen.map((stream) => seconds(stream.start_time)).filter((value) => value !== null);
  const start = starts.length > 0 ? Math.min(...starts) : (seconds(format.start_time) ?? 0);
  const ends = chosen.map((stream) => {
    const duration = positive(stream.duration);
    return duration === null ? null : (seconds(stream.start_time) ?? start) + duration;
  });
  const known = ends.filter((end) => end !== null);
  const whole = hasOthers || Math.abs(start) > LATE_START_SECONDS ? null : positive(format.duration);
  const durationSeconds = known.length === chosen.length && known.length > 0 ? Math.max(...known) - start : whole;
  return {
    durationMs: durationSeconds === null ? null : Math.round(durationSeconds * 1000),
    startMs: Math.round(start * 1000),
  };
}

function videoFacts(stream: RawStream): VideoFacts {
  const [width, height] = [stream.width ?? 0, stream.height ?? 0];
  const rotation = rotationOf(stream);
  const sar = sarOf(stream, width, height);
  const shown = squared(width, height, sar);
  const sideways = rotation === 90 || rotation === 270;
  const transfer = tagged(stream.color_transfer);
  return {
    index: stream.index,
    codec: stream.codec_name ?? 'unknown',
    profile: tagged(stream.profile),
    width,
    height,
    displayWidth: sideways ? shown.height : shown.width,
    displayHeight: sideways ? shown.width : shown.height,
    rotation,
    sar,
    ...frameRateOf(stream),
    pixelFormat: stream.pix_fmt ?? 'unknown',
    bitDepth: bitDepthOf(stream),
    colour: {
      primaries: tagged(stream.color_primaries),
      transfer,
      matrix: tagged(stream.color_space),
      range:
        stream.color_range === 'pc' || stream.pix_fmt?.startsWith('yuvj')
          ? 'pc'
          : stream.color_range === 'tv'
            ? 'tv'
            : null,
    },
    hdr: transfer === 'arib-std-b67' ? 'hlg' : transfer === 'smpte2084' ? 'pq' : null,
    interlaced: fieldOrder(stream.field_order),
    bitrateBps: positive(stream.bit_rate),
  };
}

function audioFacts(stream: RawStream): AudioFacts {
  return {
    index: stream.index,
    codec: stream.codec_name ?? 'unknown',
    channels: stream.channels ?? 0,
    channelLayout: tagged(stream.channel_layout),
    sampleRate: Number(stream.sample_rate ?? 0),
    bitrateBps: positive(stream.bit_rate),
    language: tagged(stream.tags?.language),
    title: stream.tags?.title ?? null,
  };
}

function subtitleFacts(stream: RawStream, demuxer: string): SubtitleFacts {
  const { disposition = {} } = stream;
  return {
    index: stream.index,
    codec: stream.codec_name ?? 'unknown',
    language: tagged(stream.tags?.language),
    title: stream.tags?.title ?? null,
    // In MP4 and MOV it only says that a track is enabled, which most writers set on the first one.
    isDefault: disposition.default === 1 && demuxer !== 'mov',
    isForced: disposition.forced === 1,
    describesSound: disposition.hearing_impaired === 1,
  };
}

function tagged(value: string | undefined): string | null {
  return value === undefined || ['unknown', 'unspecified', 'reserved', 'N/A', 'und', ''].includes(value) ? null : value;
}

/** ffprobe reports the rotation counter-clockwise (-90 means: rotate right for display). */
function rotationOf(stream: RawStream): 0 | 90 | 180 | 270 {
  const matrix = stream.side_data_list?.find((data) => typeof data.rotation === 'number')?.rotation;
  const clockwise = (matrix === undefined ? Number(stream.tags?.rotate ?? 0) : -matrix) || 0;
  const quarter = ((Math.round(clockwise / 90) % 4) + 4) % 4;
  return ([0, 90, 180, 270] as const)[quarter] ?? 0;
}

/** Ratios beyond 1:8 are damage; those within half a percent of 1:1 are rounding errors of an encoder. */
function sarOf(stream: RawStream, width: number, height: number): Fraction {
  const sar = parseFraction(stream.sample_aspect_ratio);
  if (sar === null || width === 0 || height === 0) return { num: 1, den: 1 };
  const ratio = toNumber(sar);
  return ratio > 8 || ratio < 1 / 8 || Math.abs(ratio - 1) < 0.005 ? { num: 1, den: 1 } : sar;
}

/** The size with square pixels: the width follows the pixel shape, so that no line is lost. */
function squared(width: number, height: number, sar: Fraction): { width: number; height: number } {
  return { width: Math.round((width * sar.num) / sar.den), height };
}

/** Rates above this are time bases, which some muxers write instead of a frame rate. */
const MAX_SANE_RATE = 480;

function frameRateOf(stream: RawStream): { frameRate: Fraction | null; variableFrameRate: boolean } {
  const nominal = sane(parseFraction(stream.r_frame_rate));
  const average = sane(parseFraction(stream.avg_frame_rate));
  // Where the average is a time base, the nominal rate is a guess of the demuxer.
  if (average === null)
    return { frameRate: parseFraction(stream.avg_frame_rate) === null ? nominal : null, variableFrameRate: false };
  if (nominal === null) return { frameRate: average, variableFrameRate: true };
  const difference = Math.abs(toNumber(nominal) / toNumber(average) - 1);
  // Short or slightly irregular recordings miss their nominal rate by little; filling that up is kinder than an odd
  // rate.
  if (difference <= 0.05) return { frameRate: nominal, variableFrameRate: false };
  // Interlaced streams may report fields as the nominal rate; exactly twice the frames is that, not variation.
  const fields = fieldOrder(stream.field_order) !== null && Math.abs(toNumber(nominal) / toNumber(average) - 2) < 0.02;
  return fields
    ? { frameRate: reduced(nominal.num, nominal.den * 2), variableFrameRate: false }
    : { frameRate: average, variableFrameRate: true };
}

function sane(rate: Fraction | null): Fraction | null {
  return rate !== null && toNumber(rate) <= MAX_SANE_RATE ? rate : null;
}

function bitDepthOf(stream: RawStream): number {
  const declared = Number(stream.bits_per_raw_sample ?? 0);
  if (declared >= 8) return declared;
  const named = /(?:p|gray|rgb|bgr)(9|10|12|14|16)(?:le|be)?$/.exec(stream.pix_fmt ?? '');
  return named === null ? (/p010/.test(stream.pix_fmt ?? '') ? 10 : 8) : Number(named[1]);
}

/** ffprobe: tt and bt are shown top field first, bb and tb bottom field first. */
function fieldOrder(order: string | undefined): 'tt' | 'bb' | null {
  if (order === 'tt' || order === 'bt') return 'tt';
  return order === 'bb' || order === 'tb' ? 'bb' : null;
}
