/** Result of one check. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly found: string;
  /** What can be done about it. */
  readonly advice?: readonly string[];
}
