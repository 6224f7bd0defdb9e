/** A point of a chart. */
export interface ChartPoint {
  readonly key: string;
  /** Full label. */
  readonly name: string;
  /** Short label for the axis. */
  readonly tick: string;
  readonly value: number;
  /** Value at the same place of the period before, for area charts. */
  readonly before?: number;
  /** Value below the axis, for bar charts. */
  readonly below?: number;
  /** A forecast, for area charts: its low end, middle and high end. */
  readonly range?: readonly [low: number, middle: number, high: number];
  /** Whether there is only the forecast, whose middle is the value. Such points are the last ones. */
  readonly isExpected?: boolean;
}
