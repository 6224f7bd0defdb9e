import { formatFraction, isVideo, parseFraction, type Rendition } from '../../../media/index.ts';
import { onDemandFolder } from '../media-address.ts';

/** Segments of equal durations, which follow each other. */
type Run = readonly [duration: number, count: number];

/** A row of `renditions` as JSON; columns of the other kind are null. */
export interface RenditionRow {
  readonly kind: Rendition['kind'];
  readonly folder: string;
  readonly origin: Rendition['origin'];
  readonly codecs: string;
  readonly peak_bps: number;
  readonly average_bps: number;
  readonly label: string;
  readonly width: number;
  readonly height: number;
  readonly frame_rate: string;
  readonly iframe_peak_bps: number | null;
  readonly iframe_average_bps: number | null;
  readonly track: number;
  readonly name: string;
  readonly language: string | null;
  readonly channels: number;
  readonly sample_rate: number;
  readonly is_default: boolean;
  readonly upmix: boolean | null;
  readonly enhanced: boolean | null;
  readonly timescale: number;
  readonly state: 'STORED' | 'EVICTED';
  /** Where it is evicted. */
  readonly on_demand_peak_bps: number | null;
  /** Absent where they were not asked for. */
  readonly durations?: readonly Run[];
}

/** The row of a rendition. */
export function rowOf(rendition: Rendition): Partial<RenditionRow> {
  const { kind, folder, origin, codecs, peakBps, averageBps, timescale, durations } = rendition;
  const shared = {
    ...{ kind, folder, origin, codecs, timescale, durations: runsOf(durations) },
    ...{ peak_bps: peakBps, average_bps: averageBps },
  };
  if (isVideo(rendition)) {
    const { label, width, height, frameRate, iframes, enhanced = false } = rendition;
    return {
      ...{ ...shared, label, width, height, frame_rate: formatFraction(frameRate), enhanced },
      ...{ iframe_peak_bps: iframes?.peakBps ?? null, iframe_average_bps: iframes?.averageBps ?? null },
    };
  }
  const { track, name, language, channels, sampleRate, isDefault, upmix = false } = rendition;
  return { ...shared, track, name, language, channels, sample_rate: sampleRate, is_default: isDefault, upmix };
}

/** The rendition of a row. The segments of an evicted one are encoded on demand, in a folder of their own. */
export function renditionOf(row: RenditionRow): Rendition {
  const { codecs, timescale, on_demand_peak_bps: onDemandBps } = row;
  const isEvicted = row.state === 'EVICTED';
  const origin = isEvicted ? 'ON_DEMAND' : row.origin;
  const folder = isEvicted ? onDemandFolder(row.folder) : row.folder;
  const durations = (row.durations ?? []).flatMap(([duration, count]) => new Array<number>(count).fill(duration));
  const rates = { peakBps: onDemandBps ?? row.peak_bps, averageBps: row.average_bps };
  const shared = { folder, origin, codecs, timescale, durations, ...rates };
  if (row.kind === 'VIDEO') {
    const { label, width, height, iframe_peak_bps: peakBps, iframe_average_bps: averageBps } = row;
    const frameRate = parseFraction(row.frame_rate);
    if (frameRate === null) throw new Error(`${folder} has the frame rate ${row.frame_rate}.`);
    const iframes = peakBps === null || averageBps === null || isEvicted ? null : { peakBps, averageBps };
    const enhanced = row.enhanced ? { enhanced: true as const } : {};
    return { kind: 'VIDEO', ...shared, label, width, height, frameRate, iframes, ...enhanced };
  }
  const { track, name, language, channels, sample_rate: sampleRate, is_default: isDefault } = row;
  const upmix = row.upmix ? { upmix: true as const } : {};
  return { kind: 'AUDIO', ...shared, track, name, language, channels, sampleRate, isDefault, ...upmix };
}

/** Durations as they are stored. */
export function runsOf(durations: readonly number[]): Run[] {
  const runs: [number, number][] = [];
  for (const duration of durations) {
    const last = runs.at(-1);
    if (last?.[0] === duration) last[1] += 1;
    else runs.push([duration, 1]);
  }
  return runs;
}
