import type { CommandContext, DidKind, StatementCommand } from '../../../gql/index.ts';
import { CONTENT_DID_KINDS } from '../../../kernel/content-kinds.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorize } from '../../../kernel/policy.ts';
import { readText } from '../../../kernel/text.ts';
import { requireAccount } from '../../channels/index.ts';
import type { ReportReason, Resolution } from './report-reasons.ts';
import { REPORT_RESOLUTION, REPORTING } from './reports.policy.ts';
import {
  REPORT_TARGET,
  type Reportable,
  type ReportResolution,
  resolveReportWrites,
  saveReport,
} from './reports.store.ts';

/** Longest note of a report, in Unicode code points. */
export const MAX_NOTE = 1_000;

const KINDS: readonly DidKind[] = ['channel', 'comment', 'chatMessage', ...CONTENT_DID_KINDS];

export interface ReportArgs {
  readonly input: { readonly target: string; readonly reason: ReportReason; readonly note?: Maybe<string> };
}

/**
 * Reports a content, a comment, a message in a chat or a channel to the moderators and returns the report's id. An
 * account has one open report per object: a second call updates reason and note. RESOURCE_NOT_FOUND for objects the
 * viewer does not see, INVALID_INPUT for the note.
 */
export async function report(context: CommandContext, { input }: ReportArgs): Promise<string> {
  const { accountId, scope } = requireAccount(context);
  const target = context.parseDid(input.target, KINDS, 'input.target');
  const kind = reportableOf(target.kind);
  const saved = await saveReport(context.services.social.db, {
    id: newId<'report'>(context.nowMs),
    kind,
    subjectId: target.id,
    accountId,
    viewer: scope,
    reason: input.reason,
    note: readText(input.note ?? '', { field: 'input.note', maxLength: MAX_NOTE, multiline: true }),
    now: context.nowIso,
  });
  authorize(REPORTING, saved, 'input.target');
  if (saved.id === null) throw new Error('A report that was permitted was not saved.');
  return saved.id;
}

function reportableOf(kind: DidKind): Reportable {
  return kind === 'channel' || kind === 'comment' || kind === 'chatMessage' ? kind : 'content';
}

/**
 * Closes a report in a moderated channel. One round trip; idempotent. RESOURCE_NOT_FOUND, INVALID_INPUT when it was
 * closed with another resolution.
 */
export const resolveReport: StatementCommand<
  { readonly id: string; readonly input: { readonly resolution: Resolution } },
  ReportResolution
> = {
  prepare: ({ id, input: { resolution } }, env) => ({ id: env.parseDid(id, ['report'], 'id').id, resolution }),
  payload: ({ id }) => id,
  target: REPORT_TARGET,
  policy: REPORT_RESOLUTION,
  writes: resolveReportWrites,
  row: 'changed',
};
