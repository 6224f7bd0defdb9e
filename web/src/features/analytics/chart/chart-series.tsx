import type { ChartPoint } from './chart-point.ts';

/** Points, and the places of an index and of a value in the drawing. */
export interface Scaled {
  readonly points: readonly ChartPoint[];
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
}

/** The range of a forecast, and its middle as a dashed line. */
export function Range({ points, x, y }: Scaled) {
  const ranged = points.flatMap(({ range }, index) => (range ? [{ range, left: x(index).toFixed(1) }] : []));
  if (ranged.length === 0) return null;
  const along = (place: 0 | 1 | 2, of = ranged): string =>
    of.map(({ range, left }) => `${left} ${y(range[place]).toFixed(1)}`).join('L');
  return (
    <>
      <path d={`M${along(2)}L${along(0, ranged.toReversed())}Z`} className="fill-sea" fillOpacity="0.22" />
      <path d={`M${along(1)}`} fill="none" className="stroke-sea" strokeWidth="2" strokeDasharray="5 4" />
    </>
  );
}

/** The period before, as a dashed line. */
export function Before({ points, x, y }: Scaled) {
  const line = points.flatMap(({ before }, index) =>
    before === undefined ? [] : [`${x(index).toFixed(1)} ${y(before).toFixed(1)}`],
  );
  if (line.length < 2) return null;
  return (
    <path d={`M${line.join('L')}`} fill="none" className="stroke-line-strong" strokeWidth="1.5" strokeDasharray="3 4" />
  );
}

/** The values as a line over a filled area. */
export function Area({ points, x, y, floor }: Scaled & { floor: number }) {
  const line = points
    .map(({ value }, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`)
    .join('');
  if (points.length === 0) return null;
  if (points.length === 1) return <circle cx={x(0)} cy={y(points[0]?.value ?? 0)} r="4" className="fill-accent-text" />;
  return (
    <>
      <path
        d={`${line}L${x(points.length - 1)} ${floor}L${x(0)} ${floor}Z`}
        className="fill-accent"
        fillOpacity="0.13"
      />
      <path
        d={line}
        fill="none"
        className="stroke-accent-text"
        strokeWidth="2"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </>
  );
}

/** The values as bars, with those below zero hanging from the axis. */
export function Bars({ points, x, y, slot }: Scaled & { slot: number }) {
  const width = Math.max(1, Math.min(28, slot * 0.66));
  return points.map(({ key, value, below = 0 }, index) => (
    <g key={key}>
      <rect
        x={x(index) - width / 2}
        width={width}
        y={y(value)}
        height={y(0) - y(value)}
        rx={Math.min(3, width / 3)}
        className="fill-sea"
      />
      <rect
        x={x(index) - width / 2}
        width={width}
        y={y(0)}
        height={y(-below) - y(0)}
        rx={Math.min(3, width / 3)}
        className="fill-danger"
      />
    </g>
  ));
}
