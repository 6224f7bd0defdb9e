import type { VideoFacts } from './media-facts.ts';
import { toneMapName } from './tone-map.ts';

/** The color tags of encoded video, by ffmpeg's names, and the filters that convert to them. */
export interface ColourPlan {
  /** Filter descriptions before scaling; empty for ordinary video, whose colours are unchanged. */
  readonly before: readonly string[];
  /** Input options of the `scale` filter: `in_range=…`, `in_color_matrix=…`. */
  readonly read: readonly string[];
  /** swscale's name of the matrix to write. */
  readonly writeMatrix: string;
  readonly tags: { readonly primaries: string; readonly transfer: string; readonly matrix: string };
}

const BT709 = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709' } as const;
/** Conventional matrix of untagged standard-definition video. */
const SMPTE170M = { primaries: 'smpte170m', transfer: 'smpte170m', matrix: 'smpte170m' } as const;
/** Matrices that every player decodes when tagged, so that no conversion is needed. */
const KEPT_MATRICES: ReadonlySet<string> = new Set(['bt709', 'smpte170m', 'bt470bg']);
const KEPT_TRANSFERS: ReadonlySet<string> = new Set([
  'bt709',
  'smpte170m',
  'bt470m',
  'bt470bg',
  'iec61966-2-1',
  'gamma22',
  'gamma28',
]);
const KEPT_PRIMARIES: ReadonlySet<string> = new Set(['bt709', 'smpte170m', 'bt470bg', 'bt470m', 'smpte432']);

/** Animated images, whose transparent pixels show the page behind them. */
const ANIMATED_CODECS: ReadonlySet<string> = new Set(['gif', 'apng', 'webp']);
/** Blends transparent pixels with white. `premultiply` blends with black, so colours are inverted around it. */
const ON_WHITE = ['format=gbrap', 'negate=components=r+g+b', 'premultiply=inplace=1', 'format=gbrp', 'negate'];

/**
 * Decides how the colours of a source reach the encoder: 8-bit limited-range 4:2:0 in standard dynamic range, tagged.
 * - HDR (ITU-R BT.2100 HLG and PQ) is mapped to BT.709: see `standardRange`.
 * - Wide gamut or rare matrices are converted to BT.709.
 * - RGB becomes BT.709; transparent pixels of animated images become white, as in images.
 * - Everything else keeps its matrix and is tagged with it; untagged video is BT.709 from 720 lines on, else SMPTE
 *   170M,
 * so that all rungs of a ladder look the same in every player.
 */
export function planColour(
  video: Pick<VideoFacts, 'codec' | 'colour' | 'hdr' | 'pixelFormat' | 'width' | 'height'>,
): ColourPlan {
  const { colour } = video;
  const range = colour.range === 'pc' ? 'full' : 'limited';
  if (video.hdr !== null) return toneMapped(video.hdr, range);
  if (/^(gbr|rgb|bgr|argb|abgr|pal8|0rgb|0bgr|x2rgb|x2bgr)/.test(video.pixelFormat)) {
    const before = ANIMATED_CODECS.has(video.codec) ? ON_WHITE : [];
    return { before, read: [], writeMatrix: 'bt709', tags: BT709 };
  }
  const assumed = video.height >= 720 || video.width >= 1280 ? BT709 : SMPTE170M;
  const matrix = colour.matrix ?? assumed.matrix;
  const read = [`in_range=${range === 'full' ? 'pc' : 'tv'}`, `in_color_matrix=${swscaleMatrix(matrix)}`];
  if (/^bt2020/.test(matrix) || (colour.primaries ?? '') === 'bt2020')
    return converted(matrix, colour.primaries, colour.transfer, range);
  if (!KEPT_MATRICES.has(matrix)) return { before: [], read, writeMatrix: 'bt709', tags: BT709 };
  return {
    before: [],
    read,
    writeMatrix: swscaleMatrix(matrix),
    tags: {
      matrix,
      primaries: colour.primaries !== null && KEPT_PRIMARIES.has(colour.primaries) ? colour.primaries : matrix,
      transfer:
        colour.transfer !== null && KEPT_TRANSFERS.has(colour.transfer)
          ? colour.transfer
          : matrix === 'bt709'
            ? 'bt709'
            : 'smpte170m',
    },
  };
}

/** swscale knows fewer names: bt470bg and smpte170m are the same matrix (ITU-R BT.601). */
function swscaleMatrix(matrix: string): string {
  if (matrix === 'bt709' || matrix === 'fcc' || matrix === 'smpte240m') return matrix;
  return 'bt601';
}

/** The output of the conversions below. */
const CONVERTED = { read: ['in_range=tv', 'in_color_matrix=bt709'], writeMatrix: 'bt709', tags: BT709 } as const;

function toneMapped(hdr: 'hlg' | 'pq', range: 'full' | 'limited'): ColourPlan {
  const transfer = hdr === 'hlg' ? 'arib-std-b67' : 'smpte2084';
  const before = [
    `zscale=tin=${transfer}:min=2020_ncl:pin=2020:rin=${range}:t=${transfer}:m=gbr:p=2020:r=full`,
    'format=gbrp16le',
    `lut3d=file=${toneMapName(hdr)}:interp=tetrahedral`,
    'zscale=tin=709:min=gbr:pin=709:rin=full:t=709:m=709:p=709:r=limited:d=none',
    'format=yuv420p',
  ];
  return { ...CONVERTED, before };
}

/** BT.2020 colours in standard dynamic range: the gamut is narrowed, the curve is the same (ITU-R BT.2020 table 4). */
function converted(
  matrix: string,
  primaries: string | null,
  transfer: string | null,
  range: 'full' | 'limited',
): ColourPlan {
  const zscaleMatrix = matrix === 'bt2020c' ? '2020_cl' : matrix.startsWith('bt2020') ? '2020_ncl' : '709';
  const zscalePrimaries = primaries === null || primaries === 'bt2020' ? '2020' : '709';
  const zscaleTransfer = transfer === 'iec61966-2-1' ? 'iec61966-2-1' : '709';
  const before = [
    `zscale=tin=${zscaleTransfer}:min=${zscaleMatrix}:pin=${zscalePrimaries}:rin=${range}:t=709:m=709:p=709:r=limited`,
    'format=yuv420p',
  ];
  return { ...CONVERTED, before };
}
