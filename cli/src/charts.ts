const BARS = '▁▂▃▄▅▆▇█';

/** Values as one line of bars; the highest is a full bar. A series longer than the line is averaged. */
export function sparkline(values: readonly number[], columns: number): string {
  const bars = Math.min(columns, values.length);
  const means = Array.from({ length: bars }, (_, part) => {
    const slice = values.slice(
      Math.floor((part * values.length) / bars),
      Math.floor(((part + 1) * values.length) / bars),
    );
    return slice.reduce((sum, value) => sum + value, 0) / slice.length;
  });
  const highest = Math.max(...means, 0);
  return means.map((value) => BARS[highest === 0 ? 0 : Math.round((value / highest) * (BARS.length - 1))]).join('');
}
