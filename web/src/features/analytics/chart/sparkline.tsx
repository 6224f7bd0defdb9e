/** The course of a metric without axes; its numbers are beside it. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const most = Math.max(...values);
  if (values.length < 2) return null;
  const step = 100 / (values.length - 1);
  const y = (value: number): string => (26 - (most > 0 ? value / most : 0) * 24).toFixed(1);
  const line = values.map((value, index) => `${index === 0 ? 'M' : 'L'}${(index * step).toFixed(2)} ${y(value)}`);
  return (
    <svg viewBox="0 0 100 28" preserveAspectRatio="none" aria-hidden="true" focusable="false" className="h-7 w-full">
      <path
        d={line.join('')}
        fill="none"
        className="stroke-accent-text"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
        strokeLinejoin="round"
      />
    </svg>
  );
}
