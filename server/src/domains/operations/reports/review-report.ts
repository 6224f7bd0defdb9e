import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { readText } from '../../../kernel/text.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { queueMail } from '../../../platform/mail/mail.ts';
import { noteOperatorAction } from '../../accounts/index.ts';
import { putContentBack, takeContentDown } from '../../catalog/index.ts';
import { requireAccount } from '../../channels/index.ts';
import { deleteMessage } from '../../live/index.ts';
import { closeReportsAbout, putCommentBack, takeCommentDown } from '../../social/index.ts';
import { lockReport, type ReviewedReport } from './server-reports.store.ts';
import { putBackMail, takenDownMail } from './takedown-mails.ts';

/** Longest reason of a takedown. */
export const MAX_REASON = 500;

/** How an operator decides about what was reported. */
export interface ReviewReportInput {
  readonly decision: 'DISMISS' | 'TAKE_DOWN';
  readonly reason?: Maybe<string>;
}

/** How the audit log calls a takedown. */
const TAKEDOWNS = {
  CONTENT: 'CONTENT_TAKEN_DOWN',
  COMMENT: 'COMMENT_TAKEN_DOWN',
  CHAT_MESSAGE: 'CHAT_MESSAGE_DELETED',
} as const;

const RESOLUTIONS = { DISMISS: 'DISMISSED', TAKE_DOWN: 'RESOLVED' } as const;

/**
 * Dismisses a report, or takes down what it is about; all open reports about the same are closed with it. Idempotent.
 * @throws AppError RESOURCE_NOT_FOUND; INVALID_INPUT for another decision than before, or a channel; FIELD_REQUIRED for
 * a takedown without a reason.
 */
export async function reviewReport(
  context: CommandContext,
  id: string,
  { decision, reason }: ReviewReportInput,
): Promise<void> {
  const { accountId: operatorId } = requireAccount(context);
  const { nowMs, nowIso } = context;
  const checked = checkReason(decision, reason);
  await context.services.operations.db.transaction(async (tx) => {
    const report = await requireReport(tx, id);
    const resolution = RESOLUTIONS[decision];
    if (report.status === resolution) return;
    requireOpen(report);
    if (decision === 'TAKE_DOWN') await takeDown(context, tx, report, checked);
    await closeReportsAbout(tx, report.subjectId, { resolution, by: operatorId, nowIso });
    const kind = decision === 'DISMISS' || report.kind === 'CHANNEL' ? 'REPORT_DISMISSED' : TAKEDOWNS[report.kind];
    await noteOperatorAction(tx, { operatorId, kind, to: { name: nameOf(report) }, details: checked, nowMs });
  });
}

/**
 * Ends the takedown of what a report is about. Nothing changes for something that is not taken down.
 * @throws AppError RESOURCE_NOT_FOUND.
 */
export async function liftTakedown(context: CommandContext, id: string): Promise<void> {
  const { accountId: operatorId } = requireAccount(context);
  const { operations } = context.services;
  await operations.db.transaction(async (tx) => {
    const report = await requireReport(tx, id);
    const { kind, subjectId, email, title } = report;
    if (kind === 'CHANNEL' || kind === 'CHAT_MESSAGE' || !report.isTakenDown) return;
    if (kind === 'COMMENT') await putCommentBack(tx, subjectId);
    else await putContentBack(tx, subjectId, context.nowIso);
    if (email !== null) await queueMail(operations, tx, putBackMail({ kind, to: email, title: title ?? '' }));
    const to = { name: nameOf(report) };
    await noteOperatorAction(tx, { operatorId, kind: 'TAKEDOWN_LIFTED', to, details: '', nowMs: context.nowMs });
  });
}

async function takeDown(
  context: CommandContext,
  tx: Transaction,
  { kind, subjectId, email, title }: ReviewedReport,
  reason: string,
): Promise<void> {
  if (kind === 'CHANNEL')
    throw new AppError('INVALID_INPUT', t`A channel cannot be taken down.`, {
      field: 'input.decision',
      suggestedFix: t`Take down its contents, or suspend the account of its owner.`,
    });
  // It would be out of place in the chat later, so that nothing of it is kept.
  if (kind === 'CHAT_MESSAGE') return deleteMessage(tx, subjectId);
  const { operations } = context.services;
  const changed =
    kind === 'COMMENT'
      ? await takeCommentDown(tx, subjectId, context.nowIso)
      : await takeContentDown(tx, subjectId, reason, context.nowIso);
  if (changed && email !== null)
    await queueMail(operations, tx, takenDownMail({ kind, to: email, title: title ?? '' }, reason));
}

async function requireReport(tx: Transaction, id: string): Promise<ReviewedReport> {
  const report = await lockReport(tx, id);
  if (report) return report;
  throw new AppError('RESOURCE_NOT_FOUND', t`There is no such report.`, {
    field: 'id',
    suggestedFix: t`Check the id; serverReports lists the reports of all channels.`,
  });
}

function requireOpen({ status }: ReviewedReport): void {
  if (status === 'OPEN') return;
  throw new AppError('INVALID_INPUT', t`This report is already ${status}.`, {
    field: 'input.decision',
    suggestedFix: t`Leave it unchanged; liftTakedown ends a takedown.`,
  });
}

function checkReason(decision: ReviewReportInput['decision'], reason: Maybe<string>): string {
  const field = 'input.reason';
  const text = readText(reason ?? '', { field, maxLength: MAX_REASON, multiline: true }).trim();
  if (decision === 'TAKE_DOWN' && text === '')
    throw new AppError('FIELD_REQUIRED', t`input.reason is missing.`, {
      field,
      suggestedFix: t`Say why it is taken down; its owner reads it.`,
    });
  return text;
}

/** How the audit log names what was reported. */
function nameOf({ kind, title, username, channelHandle }: ReviewedReport): string {
  if (kind === 'CHANNEL') return `@${channelHandle}`;
  if (kind === 'CHAT_MESSAGE') return `${username ?? 'Message'} in ${title ?? ''}`;
  return kind === 'COMMENT' ? `${username ?? 'Comment'} on ${title ?? ''}` : (title ?? '');
}
