const BARS = '▁▂▃▄▅▆▇█';

/** Values as one line of bars, the highest of them as a full one; longer series are drawn as averages of their parts. */
export function sparkline(values: readonly number[], columns: number): string {
  const parts = Math.min(columns, values.length);
  const drawn = Array.from({ length: parts }, (_, part) => {
    const slice = values.slice(Math.floor((part * values.length) / parts), Math.floor(((part + 1) * values.length) / parts));
    return slice.reduce((sum, value) => sum + value, 0) / slice.length;
  });
  const highest = Math.max(...drawn, 0);
  return drawn.map((value) => BARS[highest === 0 ? 0 : Math.round((value / highest) * (BARS.length - 1))]).join('');
}
