import { useQuery } from '@tanstack/react-query';
import { sameOriginUrl } from '../lib/url.ts';

/** Pictures for the seek bar. */
export interface Storyboard {
  /** URL with `%05d` as placeholder for the number of the image, from 1. */
  readonly urlFormat: string;
  readonly count: number;
  /** URL of a WebVTT file that names the part of an image for each moment; null where each image is one picture. */
  readonly vtt: string | null;
}

/** A picture: an image, or a part of it in pixels. */
export interface Still {
  readonly url: string;
  readonly part: { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | null;
}

interface Cue {
  /** Seconds. */
  readonly end: number;
  readonly still: Still;
}

const CUE = /(?:(?<!\d)(\d+):)?(\d{2}):(\d{2}\.\d{3})[ \t]*\r?\n([^\s#]+)#xywh=(?:pixel:)?(\d+),(\d+),(\d+),(\d+)/g;

/** The cues of a WebVTT file at an address. */
export function readStoryboard(text: string, address: string): Cue[] {
  return [...text.matchAll(CUE)].map(([, hours = '0', minutes, seconds, file = '', ...part]) => {
    const [x = 0, y = 0, width = 0, height = 0] = part.map(Number);
    return {
      end: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
      still: { url: new URL(file, address).href, part: { x, y, width, height } },
    };
  });
}

/** The picture at a time in seconds, or null. `cues` are those of the storyboard's file, null until they are loaded. */
export function stillAt(
  board: Storyboard | null,
  cues: readonly Cue[] | null,
  time: number,
  duration: number,
): Still | null {
  if (!board || board.count < 1 || duration <= 0) return null;
  if (board.vtt !== null) return (cues?.find(({ end }) => time < end) ?? cues?.at(-1))?.still ?? null;
  const index = 1 + Math.min(board.count - 1, Math.max(0, Math.floor((time / duration) * board.count)));
  return { url: board.urlFormat.replace('%05d', `${index}`.padStart(5, '0')), part: null };
}

/** The picture at a time; the file that names pictures is loaded once it is `wanted`. */
export function useStill(board: Storyboard | null, time: number, duration: number, wanted: boolean): Still | null {
  const vtt = board?.vtt ?? null;
  const { data } = useQuery({
    queryKey: ['storyboard', vtt],
    queryFn: async () => {
      const response = await fetch(vtt ?? '');
      return response.ok ? readStoryboard(await response.text(), response.url) : [];
    },
    enabled: wanted && vtt !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return wanted ? stillAt(board, data ?? null, time, duration) : null;
}

/** A storyboard as the API describes it, with addresses of this site. */
export function storyboardOf(
  series: { readonly urlFormat: string; readonly count: number; readonly vtt: string | null } | null | undefined,
): Storyboard | null {
  if (!series) return null;
  const { urlFormat, count, vtt } = series;
  return { urlFormat: sameOriginUrl(urlFormat), count, vtt: vtt === null ? null : sameOriginUrl(vtt) };
}
