import type { ReactNode } from 'react';
import type { ChartPoint } from './chart-point.ts';
import { labelIndexes } from './scale.ts';

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Size of the whole drawing, including axes. */
  readonly full: readonly [width: number, height: number];
}

interface Properties {
  readonly points: readonly ChartPoint[];
  readonly kind: 'area' | 'bars';
  readonly marks: readonly number[];
  readonly formatTick: (value: number) => string;
  readonly shown: number | null;
  readonly box: Box;
  readonly tip: (point: ChartPoint) => string;
  readonly picture: ReactNode;
}

/** Width of a label on the horizontal axis. */
const LABEL_WIDTH = 74;
const TIP_WIDTH = 190;

/**
 * The drawing of a chart and the tooltip of the active point. Hidden from screen readers, which use the chart around
 * it.
 */
export function ChartDrawing({ points, kind, marks, formatTick, shown, box, tip, picture }: Properties) {
  const [low, high] = [marks[0] ?? 0, marks.at(-1) ?? 1];
  const slot = kind === 'bars' ? box.width / points.length : box.width / Math.max(1, points.length - 1);
  const x = (index: number): number =>
    box.left + (kind === 'bars' || points.length === 1 ? (index + 0.5) * slot : index * slot);
  const y = (value: number): number => box.top + box.height * (1 - (value - low) / (high - low));
  const labels = labelIndexes(points.length, Math.floor(box.width / LABEL_WIDTH));
  const active = shown === null ? undefined : points[shown];
  return (
    <>
      <svg
        width={box.full[0]}
        height={box.full[1]}
        aria-hidden="true"
        focusable="false"
        className="block overflow-visible"
      >
        {marks.map((value) => (
          <g key={value}>
            <line
              x1={box.left}
              x2={box.left + box.width}
              y1={y(value)}
              y2={y(value)}
              className={value === 0 ? 'stroke-line-strong' : 'stroke-line'}
              strokeOpacity={value === 0 ? 0.8 : 1}
            />
            <text
              x={box.left - 10}
              y={y(value)}
              dy="0.32em"
              textAnchor="end"
              className="fill-muted text-xs tabular-nums"
            >
              {formatTick(value)}
            </text>
          </g>
        ))}
        {labels.map((index) => (
          <text
            key={points[index]?.key}
            x={x(index)}
            y={box.full[1] - 6}
            textAnchor={index === 0 && kind === 'area' && points.length > 1 ? 'start' : 'middle'}
            className="fill-muted text-xs"
          >
            {points[index]?.tick}
          </text>
        ))}
        {shown !== null && (
          <line x1={x(shown)} x2={x(shown)} y1={box.top} y2={box.top + box.height} className="stroke-line-strong" />
        )}
        {kind === 'bars' ? (
          <Bars points={points} x={x} y={y} slot={slot} />
        ) : (
          <>
            <Range points={points} x={x} y={y} />
            <Before points={points} x={x} y={y} />
            <Area points={points.filter(({ isExpected }) => !isExpected)} x={x} y={y} floor={box.top + box.height} />
          </>
        )}
        {active && shown !== null && kind === 'area' && (
          <circle
            cx={x(shown)}
            cy={y(active.value)}
            r="5"
            className="fill-accent-text stroke-surface"
            strokeWidth="2"
          />
        )}
      </svg>
      {active && shown !== null && (
        <div
          aria-hidden="true"
          className={
            'pointer-events-none absolute top-0 rounded-lg border ' +
            'border-line-strong bg-raised px-3 py-2 text-sm shadow-lg'
          }
          style={{ left: Math.max(0, Math.min(box.full[0] - TIP_WIDTH, x(shown) - TIP_WIDTH / 2)), width: TIP_WIDTH }}
        >
          {picture}
          <p dir="auto" className="text-muted">
            {active.name}
          </p>
          <p dir="auto" className="font-semibold tabular-nums">
            {tip(active)}
          </p>
        </div>
      )}
    </>
  );
}

interface Scaled {
  readonly points: readonly ChartPoint[];
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
}

/** The range of a forecast, and its middle as a dashed line. */
function Range({ points, x, y }: Scaled) {
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
function Before({ points, x, y }: Scaled) {
  const line = points.flatMap(({ before }, index) =>
    before === undefined ? [] : [`${x(index).toFixed(1)} ${y(before).toFixed(1)}`],
  );
  if (line.length < 2) return null;
  return (
    <path d={`M${line.join('L')}`} fill="none" className="stroke-line-strong" strokeWidth="1.5" strokeDasharray="3 4" />
  );
}

function Area({ points, x, y, floor }: Scaled & { floor: number }) {
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

function Bars({ points, x, y, slot }: Scaled & { slot: number }) {
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
