import type { ReportReason } from '../../gql/generated/operations.gen.ts';
import { t } from '../../lib/i18n.ts';

/** Reasons of reports, in the order in which they are offered. */
export const REPORT_REASONS: Readonly<Record<ReportReason, string>> = {
  SPAM: t`Spam or scam`,
  HARASSMENT: t`Harassment or bullying`,
  HATE: t`Hateful content`,
  SEXUAL: t`Sexual content`,
  VIOLENCE: t`Violent or dangerous content`,
  MISINFORMATION: t`Misinformation`,
  COPYRIGHT: t`Copyright infringement`,
  OTHER: t`Something else`,
};
