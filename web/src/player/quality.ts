import { formatLocale, t } from '../lib/i18n.ts';

/** Labels of quality levels, and the level for a stored preference. Pure. */
export interface Level {
  /** Index in the stream's own order. */
  readonly id: number;
  readonly label: string;
  /** Lines of the shorter side: 1080 for 1920x1080 and for 1080x1920. */
  readonly lines: number;
  readonly bitrateBps: number;
  /** Whether it is the uploaded picture, which is also there in this size as it was encoded. */
  readonly isSource: boolean;
  /** Whether it is played only where the viewer chooses it: the source, or an upscaled one that is not preferred. */
  readonly isOptional: boolean;
}

interface StreamLevel {
  /** From the playlist. */
  readonly name?: string | undefined;
  readonly width: number;
  readonly height: number;
  readonly bitrate: number;
  readonly frameRate: number;
  /** How much players are to prefer it; absent or 0 where the playlist does not say. */
  readonly score?: number;
}

/** Whether a level is the uploaded picture beside the encoded ones, by its name in the playlist. */
export function isSource({ name = '' }: Pick<StreamLevel, 'name'>): boolean {
  return name.endsWith(' source');
}

/** Whether a level was upscaled, by its name in the playlist. */
export function isEnhanced({ name = '' }: Pick<StreamLevel, 'name'>): boolean {
  return name.endsWith(' enhanced');
}

/** Whether a level was upscaled and players are to choose the others by themselves. */
export function isAvoided(level: StreamLevel, all: readonly StreamLevel[]): boolean {
  const { score = 0 } = level;
  return isEnhanced(level) && all.some((other) => !isEnhanced(other) && (other.score ?? 0) >= score);
}

const tenths = new Intl.NumberFormat(formatLocale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** `2.5 Mbit/s`. */
export function bitRate(bitrateBps: number): string {
  const megabits = tenths.format(bitrateBps / 1e6);
  return t`${megabits} Mbit/s`;
}

/**
 * Levels, best first: the source before the encoded level of its size. A label includes frame rates above 30 and, if
 * labels collide, the bit rate.
 */
export function describeLevels(levels: readonly StreamLevel[]): Level[] {
  const named = levels.map((level, id) => {
    const lines = Math.min(level.width, level.height);
    const rate = Math.round(level.frameRate);
    const size = lines > 0 ? `${lines}p${rate > 30 ? rate : ''}` : t`Audio`;
    const label = isSource(level) ? t`${size} source` : isEnhanced(level) ? t`${size} enhanced` : size;
    const isOptional = isSource(level) || isAvoided(level, levels);
    return { id, lines, bitrateBps: level.bitrate, label, isSource: isSource(level), isOptional };
  });
  const unique = (label: string): boolean => named.filter((each) => each.label === label).length === 1;
  return named
    .map((level) =>
      unique(level.label) ? level : { ...level, label: `${level.label} · ${bitRate(level.bitrateBps)}` },
    )
    .sort((a, b) => b.lines - a.lines || Number(b.isSource) - Number(a.isSource) || b.bitrateBps - a.bitrateBps);
}

/** The best level not above the preferred number of lines and not optional, otherwise the lowest; null: automatic. */
export function preferredLevel(levels: readonly Level[], lines: number | null): Level | null {
  if (lines === null) return null;
  return levels.find((level) => level.lines <= lines && !level.isOptional) ?? levels.at(-1) ?? null;
}
