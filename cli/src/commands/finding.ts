/** Result of one check. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly found: string;
  /** Suggested fix. */
  readonly advice?: readonly string[];
}
