/** A point of a chart. */
export interface ChartPoint {
  readonly key: string;
  /** Full label. */
  readonly name: string;
  /** Short label for the axis. */
  readonly tick: string;
  readonly value: number;
  /** Value below the axis, for bar charts. */
  readonly below?: number;
}
