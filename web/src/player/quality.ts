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
  /** Whether it was upscaled: it is played only where the viewer chooses it. */
  readonly isEnhanced: boolean;
}

interface StreamLevel {
  /** From the playlist. */
  readonly name?: string | undefined;
  readonly width: number;
  readonly height: number;
  readonly bitrate: number;
  readonly frameRate: number;
}

/** Whether a level is the uploaded picture beside the encoded ones, by its name in the playlist. */
export function isSource({ name = '' }: Pick<StreamLevel, 'name'>): boolean {
  return name.endsWith(' source');
}

/** Whether a level was upscaled, by its name in the playlist. */
export function isEnhanced({ name = '' }: Pick<StreamLevel, 'name'>): boolean {
  return name.endsWith(' enhanced');
}

/**
 * Levels, best first: the source before the encoded level of its size. A label includes frame rates above 30 and, if
 * labels collide, the bit rate.
 */
export function describeLevels(levels: readonly StreamLevel[]): Level[] {
  const named = levels.map((level, id) => {
    const lines = Math.min(level.width, level.height);
    const rate = Math.round(level.frameRate);
    const size = lines > 0 ? `${lines}p${rate > 30 ? rate : ''}` : 'Audio';
    const kinds = { isSource: isSource(level), isEnhanced: isEnhanced(level) };
    const label = kinds.isSource ? `${size} source` : kinds.isEnhanced ? `${size} enhanced` : size;
    return { id, lines, bitrateBps: level.bitrate, label, ...kinds };
  });
  const unique = (label: string): boolean => named.filter((each) => each.label === label).length === 1;
  return named
    .map((level) =>
      unique(level.label)
        ? level
        : { ...level, label: `${level.label} · ${(level.bitrateBps / 1e6).toFixed(1)} Mbit/s` },
    )
    .sort((a, b) => b.lines - a.lines || Number(b.isSource) - Number(a.isSource) || b.bitrateBps - a.bitrateBps);
}

/** The best original level not above the preferred number of lines, otherwise the lowest; null for automatic. */
export function preferredLevel(levels: readonly Level[], lines: number | null): Level | null {
  if (lines === null) return null;
  return levels.find((level) => level.lines <= lines && !level.isSource && !level.isEnhanced) ?? levels.at(-1) ?? null;
}
