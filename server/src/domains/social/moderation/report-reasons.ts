/** What can be wrong with something that is reported. */
export type ReportReason = 'SPAM' | 'HARASSMENT' | 'HATE' | 'VIOLENCE' | 'SEXUAL' | 'MISINFORMATION' | 'COPYRIGHT' | 'OTHER';

/** How a report is closed. */
export type Resolution = 'RESOLVED' | 'DISMISSED';
