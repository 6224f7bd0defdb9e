import type { ReportReason } from '../gql/generated/operations.gen.ts';

/** Reasons of reports, in the order in which they are offered. */
export const REPORT_REASONS: Readonly<Record<ReportReason, string>> = {
  SPAM: 'Spam or scam',
  HARASSMENT: 'Harassment or bullying',
  HATE: 'Hateful content',
  SEXUAL: 'Sexual content',
  VIOLENCE: 'Violent or dangerous content',
  MISINFORMATION: 'Misinformation',
  COPYRIGHT: 'Copyright infringement',
  OTHER: 'Something else',
};
