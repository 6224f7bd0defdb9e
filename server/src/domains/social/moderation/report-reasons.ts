/** Reasons of reports. */
export type ReportReason =
  | 'SPAM'
  | 'HARASSMENT'
  | 'HATE'
  | 'VIOLENCE'
  | 'SEXUAL'
  | 'MISINFORMATION'
  | 'COPYRIGHT'
  | 'OTHER';

/** Resolution of a report. */
export type Resolution = 'RESOLVED' | 'DISMISSED';
