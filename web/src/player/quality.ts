/** Labels of quality levels, and the level for a stored preference. Pure. */
export interface Level {
  /** Index in the stream's own order. */
  readonly id: number;
  readonly label: string;
  /** Lines of the shorter side: 1080 for 1920x1080 and for 1080x1920. */
  readonly lines: number;
  readonly bitrateBps: number;
}

interface StreamLevel {
  readonly width: number;
  readonly height: number;
  readonly bitrate: number;
  readonly frameRate: number;
}

/** Levels, best first. A label includes frame rates above 30 and, if labels collide, the bit rate. */
export function describeLevels(levels: readonly StreamLevel[]): Level[] {
  const named = levels.map((level, id) => {
    const lines = Math.min(level.width, level.height);
    const rate = Math.round(level.frameRate);
    return { id, lines, bitrateBps: level.bitrate, label: lines > 0 ? `${lines}p${rate > 30 ? rate : ''}` : 'Audio' };
  });
  const unique = (label: string): boolean => named.filter((each) => each.label === label).length === 1;
  return named
    .map((level) =>
      unique(level.label)
        ? level
        : { ...level, label: `${level.label} · ${(level.bitrateBps / 1e6).toFixed(1)} Mbit/s` },
    )
    .sort((a, b) => b.lines - a.lines || b.bitrateBps - a.bitrateBps);
}

/** The best level not above the preferred number of lines, otherwise the lowest; null for automatic. */
export function preferredLevel(levels: readonly Level[], lines: number | null): Level | null {
  if (lines === null) return null;
  return levels.find((level) => level.lines <= lines) ?? levels.at(-1) ?? null;
}
