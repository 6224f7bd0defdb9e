import { type Message, phrase } from '../../kernel/languages/message.ts';

/**
 * The decoders uploads may use, by ffmpeg's codec names: the formats of cameras, phones, editors and the web. Other
 * decoders of ffmpeg would only add attack surface.
 */
export const VIDEO_CODECS: ReadonlySet<string> = new Set(
  `apng av1 cfhd cinepak dnxhd dvvideo ffv1 ffvhuff flv1 h261 h263 h263p gif h264 hevc huffyuv magicyuv mjpeg mpeg1video
    mpeg2video mpeg4
  msmpeg4v1 msmpeg4v2 msmpeg4v3 msvideo1 prores qtrle rawvideo rpza svq1 svq3 theora utvideo v210 vc1 vp6 vp6a vp6f vp8
    vp9 wmv1 wmv2 wmv3`.split(/\s+/),
);

export const AUDIO_CODECS: ReadonlySet<string> = new Set(
  `aac aac_latm ac3 adpcm_ima_qt adpcm_ima_wav adpcm_ms adpcm_swf alac amr_nb amr_wb dts eac3 flac gsm mlp mp1 mp2 mp3
    nellymoser opus
  pcm_alaw pcm_bluray pcm_dvd pcm_f32be pcm_f32le pcm_f64be pcm_f64le pcm_mulaw pcm_s16be pcm_s16le pcm_s24be pcm_s24le
    pcm_s32be
  pcm_s32le pcm_s8 pcm_u8 qdm2 speex truehd vorbis wavpack wmapro wmav1 wmav2 wmalossless`.split(/\s+/),
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
