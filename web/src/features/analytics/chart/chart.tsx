import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useState } from 'react';
import { useWidth } from '../../../lib/hooks/use-width.ts';
import { t } from '../../../lib/i18n.ts';
import { ChartDrawing } from './chart-drawing.tsx';
import type { ChartPoint } from './chart-point.ts';
import { ChartTable } from './chart-table.tsx';
import { nearestIndex, ticks } from './scale.ts';

interface Properties {
  /** Accessible name of the chart. */
  readonly label: string;
  readonly points: readonly ChartPoint[];
  readonly kind: 'area' | 'bars';
  /** Whether values are integers, so that ticks are too. */
  readonly whole: boolean;
  /** Formats a tick of the axis. */
  readonly formatTick: (value: number) => string;
  /** Describes a point: `34 views`. */
  readonly describe: (point: ChartPoint) => string;
  /** Column headers of the table. */
  readonly columns: readonly [string, string];
  /** Called with the index of the active point, for what is shown of it elsewhere; null for none. */
  readonly onPoint?: (index: number | null) => void;
  /** Shown in the tooltip of the active point. */
  readonly picture?: ReactNode;
}

/** Space for the tick labels of the vertical and the horizontal axis. */
const LEFT = 48;
const BOTTOM = 26;
const TOP = 10;
const HEIGHT = 220;

/**
 * A chart for pointer, keyboard (arrow keys, Home, End) and screen reader: the drawing is a slider over its points,
 * each with a description, and a table lists all of them.
 */
export function Chart({ label, points, kind, whole, formatTick, describe, columns, onPoint, picture }: Properties) {
  const [frame, width] = useWidth();
  const [at, show] = useState<number | null>(null);
  const setAt = (index: number | null): void => {
    show(index);
    onPoint?.(index);
  };
  const hint = useId();
  const last = points.length - 1;
  const shown = at === null ? null : Math.min(at, last);
  const inner = Math.max(0, width - LEFT - 8);
  const marks = ticks(
    -Math.max(0, ...points.map(({ below }) => below ?? 0)),
    Math.max(0, ...points.map(({ value, before, range }) => Math.max(value, before ?? 0, range?.[2] ?? 0))),
    whole,
  );
  const point = (event: PointerEvent<HTMLElement>): void => {
    const left = event.currentTarget.getBoundingClientRect().left + LEFT;
    const slot = kind === 'bars' ? inner / points.length : 0;
    setAt(nearestIndex(event.clientX - left - slot / 2, inner - slot, points.length));
  };
  const press = (event: KeyboardEvent): void => {
    const now = shown ?? last;
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, ArrowDown: now - 1, ArrowUp: now + 1, Home: 0, End: last }[
      event.key
    ];
    if (event.key === 'Escape') setAt(null);
    if (to === undefined) return;
    event.preventDefault();
    setAt(Math.min(last, Math.max(0, to)));
  };
  const current = points[shown ?? last];
  if (!current) return null;
  return (
    <div className="space-y-3">
      <div
        ref={frame}
        dir="ltr"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-describedby={hint}
        aria-valuemin={1}
        aria-valuemax={points.length}
        aria-valuenow={(shown ?? last) + 1}
        aria-valuetext={`${current.name}: ${describe(current)}`}
        onKeyDown={press}
        onFocus={() => setAt(at ?? last)}
        onBlur={() => setAt(null)}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setAt(null)}
        className="relative touch-pan-y select-none"
        style={{ height: HEIGHT }}
      >
        {width > 0 && (
          <ChartDrawing
            points={points}
            kind={kind}
            marks={marks}
            formatTick={formatTick}
            shown={shown}
            box={{ left: LEFT, top: TOP, width: inner, height: HEIGHT - BOTTOM - TOP, full: [width, HEIGHT] }}
            tip={describe}
            picture={picture}
          />
        )}
      </div>
      <p
        id={hint}
        className="sr-only"
      >{t`Use the arrow keys to move between points. All values are in the table below.`}</p>
      <ChartTable label={label} points={points} describe={describe} columns={columns} />
    </div>
  );
}
