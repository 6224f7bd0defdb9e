import { type Message, phrase } from '../../kernel/languages/message.ts';

/** Codecs by ffmpeg's names, in groups that have something in common. */
type Groups<Common> = readonly (readonly [common: Common, codecs: string])[];

/** Who writes what uploads may have. Everything is decoded in the sandbox. */
const VIDEO_WRITERS: Groups<string> = [
  ['phones, cameras, browsers and services', 'av1 h263 h264 hevc mjpeg mpeg4 theora vp8 vp9'],
  ['discs and broadcasts', 'cavs dirac ffv1 mpeg1video mpeg2video vc1'],
  ['editors, between their steps', 'aic cfhd cllc dnxhd dxv hap hq_hqa hqx notchlc pixlet prores sheervideo speedhq'],
  ['editors, without loss', 'ffvhuff huffyuv hymt lagarith magicyuv mszh qtrle utvideo zlib'],
  ['editors, without compression', 'avrp avui ayuv cljr r10k r210 rawvideo v210 v308 v408 v410 y41p yuv4'],
  ['editors and cameras, a picture for each frame', 'bmp dpx jpeg2000 mjpegb png sgi targa tiff'],
  ['tape', 'dvvideo'],
  ['recorders of screens', 'cscd dxtory flashsv flashsv2 fraps g2m mss1 mss2 msrle screenpresso tscc tscc2 vmnc zmbv'],
  [
    'players and tools of earlier years',
    `8bps cinepak flv1 h261 h263i h263p indeo3 indeo4 indeo5 msmpeg4v1 msmpeg4v2 msmpeg4v3 msvideo1 rpza smc svq1 svq3
      vp3 vp5 vp6 vp6a vp6f wmv1 wmv2 wmv3`,
  ],
  ['animated images', 'apng gif'],
];

const AUDIO_WRITERS: Groups<string> = [
  ['phones, cameras, browsers and services', 'aac alac amr_nb amr_wb flac mp3 opus vorbis'],
  ['phones of earlier years', 'evrc gsm gsm_ms ilbc qcelp'],
  ['discs and broadcasts', 'aac_latm ac3 dolby_e dts dvaudio eac3 mlp mp1 mp2 pcm_bluray pcm_dvd s302m truehd'],
  [
    'editors and recorders, without compression',
    `pcm_alaw pcm_f16le pcm_f24le pcm_f32be pcm_f32le pcm_f64be pcm_f64le pcm_mulaw pcm_s16be pcm_s16be_planar pcm_s16le
      pcm_s16le_planar pcm_s24be pcm_s24le pcm_s24le_planar pcm_s32be pcm_s32le pcm_s32le_planar pcm_s64be pcm_s64le
      pcm_s8 pcm_s8_planar pcm_u16be pcm_u16le pcm_u24be pcm_u24le pcm_u32be pcm_u32le pcm_u8`,
  ],
  ['editors, without loss', 'tta wavpack wmalossless'],
  [
    'cameras and recorders',
    'adpcm_g722 adpcm_g726 adpcm_g726le adpcm_ima_qt adpcm_ima_wav adpcm_ms adpcm_yamaha wmavoice',
  ],
  [
    'players and tools of earlier years',
    'adpcm_swf mace3 mace6 nellymoser qdm2 qdmc speex truespeech wmapro wmav1 wmav2',
  ],
];

/** What ffmpeg decodes, too, but would only add attack surface here: what it is, for the uploader. */
const REFUSED: Groups<Message> = [
  [
    phrase`a format of games`,
    `4xm adpcm_4xm adpcm_adx adpcm_afc adpcm_agm adpcm_aica adpcm_argo adpcm_dtk adpcm_ea adpcm_ea_maxis_xa adpcm_ea_r1
      adpcm_ea_r2 adpcm_ea_r3 adpcm_ea_xas adpcm_ima_acorn adpcm_ima_alp adpcm_ima_apc adpcm_ima_apm
      adpcm_ima_cunning adpcm_ima_dat4 adpcm_ima_dk3 adpcm_ima_dk4 adpcm_ima_ea_eacs adpcm_ima_ea_sead adpcm_ima_iss
      adpcm_ima_moflex adpcm_ima_mtf adpcm_ima_rad adpcm_ima_smjpeg adpcm_ima_ssi adpcm_ima_ws adpcm_mtaf adpcm_psx
      adpcm_sbpro_2 adpcm_sbpro_3 adpcm_sbpro_4 adpcm_thp adpcm_thp_le adpcm_vima adpcm_xa adpcm_zork anm argo avc avs
      bethsoftvid bfi binkaudio_dct binkaudio_rdft binkvideo bmv_audio bmv_video brender_pix c93 cdxl cmv cpia derf_dpcm
      dfa dsicinaudio dsicinvideo dxa escape124 escape130 fastaudio flic gdv gem gremlin_dpcm hcom hnm4video idcin
      interplay_dpcm interplayacm interplayvideo ipu jv kmvc mad mdec mmvideo mobiclip motionpixels msp2 mvc1 mvc2
      paf_audio paf_video pcm_sga pcm_vidc ptx rl2 roq roq_dpcm sanm sdx2_dpcm sga siren smackaudio smackvideo sol_dpcm
      tgq tgv thp tiertexseqvideo tmv tqi truemotion1 truemotion2 truemotion2rt txd vb vmdaudio vmdvideo
      westwood_snd1 ws_vqa xan_dpcm xan_wc3 xan_wc4 xma1 xma2 yop`,
  ],
  [
    phrase`a format of still images or of text`,
    `alias_pix ansi bintext cdgraphics cri dds exr fits idf iff_ilbm jpegls jpegxl pam pbm pcx pfm pgm pgmyuv pgx phm
      photocd pictor ppm psd qdraw qoi sgirle sunrast svg vbn vc1image webp wmv3image xbin xbm xface xpm xwd`,
  ],
  [
    phrase`a format of telephone systems or of radio links`,
    'acelp.kelvin adpcm_ct adpcm_ima_oki aptx aptx_hd codec2 comfortnoise g723_1 g729 sbc sipr',
  ],
  [
    phrase`a format of music players`,
    `8svx_exp 8svx_fib ape atrac1 atrac3 atrac3al atrac3p atrac3pal atrac9 dfpwm dsd_lsbf dsd_lsbf_planar dsd_msbf
      dsd_msbf_planar dss_sp dst hca metasound mp3adu mp3on4 mp4als musepack7 musepack8 pcm_lxf pcm_s24daud shorten tak
      twinvq`,
  ],
  [
    phrase`a format of earlier years`,
    `012v aasc adpcm_ima_amv agm amv arbc asv1 asv2 aura aura2 avrn bitpacked cdtoons clearvideo cook cyuv fic fmvc frwu
      iac imc imm4 imm5 indeo2 kgv1 loco lscr m101 mimic msa1 mscc msnsiren mts2 mv30 mvdv mvha mwsc mxpeg nuv prosumer
      qpeg ra_144 ra_288 ralf rasc rscc rv10 rv20 rv30 rv40 scpr simbiosis_imx smvjpeg sp5x srgc targa_y216 tdsc ulti
      v210x vble vcr1 vixl vp4 vp7 wcmv wnv1 ylc zerocodec`,
  ],
  [phrase`a format of ffmpeg for its own use`, 'snow sonic wavesynth wrapped_avframe'],
];

function namesIn(groups: Groups<string>): string[] {
  return groups.flatMap(([, codecs]) => codecs.split(/\s+/));
}

export const VIDEO_CODECS: ReadonlySet<string> = new Set(namesIn(VIDEO_WRITERS));
export const AUDIO_CODECS: ReadonlySet<string> = new Set(namesIn(AUDIO_WRITERS));
/** With what they are. */
export const REFUSED_CODECS: ReadonlyMap<string, Message> = new Map(
  REFUSED.flatMap(([what, codecs]) => codecs.split(/\s+/).map((codec) => [codec, what])),
);

/** Still-image codecs, used for covers. */
export const COVER_CODECS: ReadonlySet<string> = new Set(['mjpeg', 'png', 'bmp', 'webp']);

/** Display name for error messages, such as that of `hevc`, and what it is of codecs that uploads may not have. */
export function codecName(codec: string): string | Message {
  const known: Readonly<Record<string, string | Message>> = {
    hevc: 'H.265',
    h264: 'H.264',
    av1: 'AV1',
    vp8: 'VP8',
    vp9: 'VP9',
    unknown: phrase`an unknown format`,
  };
  const what = REFUSED_CODECS.get(codec);
  return what ? phrase`${codec} (${what})` : (known[codec] ?? codec);
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
