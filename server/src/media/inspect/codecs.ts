import { type Message, phrase } from '../../kernel/languages/message.ts';

/**
 * The decoders that uploads may use, by ffmpeg's codec names, and who writes them. All run in the sandbox; others of
 * ffmpeg would only add attack surface.
 */
const VIDEO_DECODERS: readonly (readonly [writers: string, codecs: string])[] = [
  ['phones, cameras, browsers and services', 'av1 h263 h264 hevc mjpeg mpeg4 theora vp8 vp9'],
  ['discs and broadcasts', 'dirac mpeg1video mpeg2video vc1'],
  ['editors, between their steps', 'aic cfhd cllc dnxhd dxv hap hq_hqa hqx magicyuv notchlc prores sheervideo speedhq'],
  [
    'editors, without loss',
    'avrp avui ffv1 ffvhuff huffyuv lagarith qtrle r10k r210 rawvideo utvideo v210 v308 v408 v410',
  ],
  ['editors and cameras, as pictures in MOV, AVI or MXF', 'dpx jpeg2000 mjpegb png targa tiff'],
  ['tape', 'dvvideo'],
  ['recorders of screens', 'flashsv flashsv2 mss1 mss2 msrle tscc tscc2 zmbv'],
  ['players and tools of earlier years', '8bps cinepak flv1 h261 h263i h263p indeo3 indeo4 indeo5 msmpeg4v1 msmpeg4v2'],
  ['the same', 'msmpeg4v3 msvideo1 rpza smc svq1 svq3 vp3 vp5 vp6 vp6a vp6f wmv1 wmv2 wmv3'],
  ['animated images', 'apng gif'],
];

export const VIDEO_CODECS: ReadonlySet<string> = new Set(VIDEO_DECODERS.flatMap(([, codecs]) => codecs.split(' ')));

export const AUDIO_CODECS: ReadonlySet<string> = new Set(
  `aac aac_latm ac3 adpcm_ima_qt adpcm_ima_wav adpcm_ms adpcm_swf alac amr_nb amr_wb dts eac3 flac gsm mlp mp1 mp2 mp3
    nellymoser opus
  pcm_alaw pcm_bluray pcm_dvd pcm_f32be pcm_f32le pcm_f64be pcm_f64le pcm_mulaw pcm_s16be pcm_s16le pcm_s24be pcm_s24le
    pcm_s32be
  pcm_s16be_planar pcm_s16le_planar pcm_s24le_planar
  pcm_s32le pcm_s32le_planar pcm_s8 pcm_u8 qdm2 s302m mace3 mace6 qdmc speex truehd vorbis wavpack wmapro wmav1 wmav2 wmalossless`.split(
    /\s+/,
  ),
);

/** Still-image codecs, used for covers. */
export const COVER_CODECS: ReadonlySet<string> = new Set(['mjpeg', 'png', 'bmp', 'webp']);

/** Display name for error messages, such as that of `hevc`. */
export function codecName(codec: string): string | Message {
  const known: Readonly<Record<string, string | Message>> = {
    hevc: 'H.265',
    h264: 'H.264',
    av1: 'AV1',
    vp8: 'VP8',
    vp9: 'VP9',
    unknown: phrase`an unknown format`,
  };
  return known[codec] ?? codec;
}

/** Text subtitles, which ffmpeg converts to WebVTT; not bitmap subtitles (discs, broadcasts). */
export const TEXT_SUBTITLE_CODECS: ReadonlySet<string> = new Set([
  'subrip',
  'ass',
  'ssa',
  'mov_text',
  'webvtt',
  'text',
]);
