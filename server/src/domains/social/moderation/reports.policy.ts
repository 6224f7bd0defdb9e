import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { fact, oneOf, or, type Policy, permission, state } from '../../../kernel/policy.ts';

/** Who may report an object: everyone who sees it. */
export const REPORTING: Policy<{ readonly visible: boolean }> = {
  missing: nothingSuch,
  requires: [permission(fact('visible'), nothingSuch)],
};

interface ReportFacts {
  /** Whether the viewer's role in the channel lets them moderate. */
  readonly moderator: boolean;
  readonly status: string;
  /** Whether it was closed with the same resolution. */
  readonly agreed: boolean;
}

/** Who may close a report: the moderators of its channel; for others it does not exist. */
export const REPORT_RESOLUTION: Policy<ReportFacts> = {
  missing: reportNotFound,
  requires: [
    permission(fact('moderator'), reportNotFound),
    state(or(oneOf('status', ['OPEN']), fact('agreed')), (_, { status }) => {
      return new AppError('INVALID_INPUT', t`This report is already ${status}.`, {
        field: 'input.resolution',
        suggestedFix: t`Leave it unchanged, or send ${status}.`,
      });
    }),
  ],
};

function reportNotFound(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such report in a channel that you moderate.`, {
    field,
    suggestedFix: t`Check the id; channel.reports lists the reports.`,
  });
}

function nothingSuch(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', undefined, { field });
}
