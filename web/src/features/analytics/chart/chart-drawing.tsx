import type { ReactNode } from 'react';
import type { ChartPoint } from './chart-point.ts';
import { Area, Bars, Before, Range, type Scaled } from './chart-series.tsx';
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
  const scaled = { points, x, y };
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
        <Marks marks={marks} formatTick={formatTick} box={box} y={y} />
        <PointLabels {...scaled} kind={kind} box={box} />
        {shown !== null && (
          <line x1={x(shown)} x2={x(shown)} y1={box.top} y2={box.top + box.height} className="stroke-line-strong" />
        )}
        {kind === 'bars' ? (
          <Bars {...scaled} slot={slot} />
        ) : (
          <>
            <Range {...scaled} />
            <Before {...scaled} />
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
        <Tip name={active.name} text={tip(active)} picture={picture} at={x(shown)} within={box.full[0]} />
      )}
    </>
  );
}

interface MarksProperties extends Pick<Properties, 'marks' | 'formatTick' | 'box'> {
  readonly y: (value: number) => number;
}

/** The vertical axis: a line for each mark, with its value. */
function Marks({ marks, formatTick, box, y }: MarksProperties) {
  return marks.map((value) => (
    <g key={value}>
      <line
        x1={box.left}
        x2={box.left + box.width}
        y1={y(value)}
        y2={y(value)}
        className={value === 0 ? 'stroke-line-strong' : 'stroke-line'}
        strokeOpacity={value === 0 ? 0.8 : 1}
      />
      <text x={box.left - 10} y={y(value)} dy="0.32em" textAnchor="end" className="fill-muted text-xs tabular-nums">
        {formatTick(value)}
      </text>
    </g>
  ));
}

/** The horizontal axis: as many names of points as fit. */
function PointLabels({ points, x, kind, box }: Scaled & Pick<Properties, 'kind' | 'box'>) {
  const labels = labelIndexes(points.length, Math.floor(box.width / LABEL_WIDTH));
  return labels.map((index) => (
    <text
      key={points[index]?.key}
      x={x(index)}
      y={box.full[1] - 6}
      textAnchor={index === 0 && kind === 'area' && points.length > 1 ? 'start' : 'middle'}
      className="fill-muted text-xs"
    >
      {points[index]?.tick}
    </text>
  ));
}

interface TipProperties {
  readonly name: string;
  readonly text: string;
  readonly picture: ReactNode;
  /** Where its point is, of the width of the drawing. */
  readonly at: number;
  readonly within: number;
}

/** The tooltip above a point, kept inside the drawing. */
function Tip({ name, text, picture, at, within }: TipProperties) {
  return (
    <div
      aria-hidden="true"
      className={
        'pointer-events-none absolute top-0 rounded-lg border ' +
        'border-line-strong bg-raised px-3 py-2 text-sm shadow-lg'
      }
      style={{ left: Math.max(0, Math.min(within - TIP_WIDTH, at - TIP_WIDTH / 2)), width: TIP_WIDTH }}
    >
      {picture}
      <p dir="auto" className="text-muted">
        {name}
      </p>
      <p dir="auto" className="font-semibold tabular-nums">
        {text}
      </p>
    </div>
  );
}
