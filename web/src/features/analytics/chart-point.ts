/** A point of a chart. */
export interface ChartPoint {
  readonly key: string;
  /** What it stands for, in full. */
  readonly name: string;
  /** The same for the axis. */
  readonly tick: string;
  readonly value: number;
  /** What is drawn below the axis; only in bars. */
  readonly below?: number;
}
