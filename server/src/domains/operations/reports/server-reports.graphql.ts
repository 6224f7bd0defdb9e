import { type CommandContext, countRows, type EntityRef, type FieldFactory, type Graph } from '../../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import { kindOfContent } from '../../assets/index.ts';
import type { SocialEnums } from '../../social/index.ts';
import { MOST_COUNTED } from '../most-counted.ts';
import { liftTakedown, MAX_REASON, reviewReport } from './review-report.ts';
import {
  administeredReports,
  commentOfReport,
  contentOfReport,
  ownerOfReport,
  subjectKindOf,
  takenDownAt,
  titleOfReport,
} from './server-reports.sql.ts';

interface Types {
  readonly Node: EntityRef;
  readonly Channel: EntityRef;
  readonly Account: EntityRef;
  readonly enums: Pick<SocialEnums, 'ReportStatus' | 'ReportReason'>;
}

/** Declares the reports of all channels, as operators see and decide them. */
export function declareServerReports(graph: Graph, types: Types): void {
  const ServerReport = declareServerReport(graph, types);
  graph.queryConnection('serverReports', {
    access: 'report:review',
    type: ServerReport,
    description: `Reports of all channels, newest first; totalCount counts at most ${MOST_COUNTED}. For operators.`,
    args: (t) => ({
      status: t.field({
        type: types.enums.ReportStatus,
        required: true,
        defaultValue: 'OPEN',
        description: 'Only reports in this state.',
      }),
    }),
    where: administeredReports,
    order: (child) => [`${child}.created_at`, `${child}.id`],
    total: (s, args) => countRows('reports', (row) => administeredReports(row, s, args), MOST_COUNTED),
  });
  declareMutations(graph, ServerReport);
}

function declareMutations(graph: Graph, ServerReport: EntityRef): void {
  const Decision = graph.builder.enumType('ReportDecision', {
    description: 'What an operator decides about what was reported.',
    values: {
      DISMISS: { description: 'Nothing is wrong with it.' },
      TAKE_DOWN: {
        description: 'Nobody but its owner sees it any more; a message in a chat is deleted. Not for channels.',
      },
    } as const,
  });
  const ReviewReportInput = graph.builder.inputType('ReviewReportInput', {
    description: 'The decision about a report.',
    fields: (t) => ({
      decision: t.field({ type: Decision, required: true, description: 'The decision.' }),
      reason: t.string({
        description: `The reason, at most ${MAX_REASON} characters; required to take down; the owner reads it.`,
      }),
    }),
  });
  const id = 'Id of the report, as operators or others know it.';
  const parse = (context: CommandContext, did: string) => context.parseDid(did, ['serverReport', 'report'], 'id').id;
  graph.mutation('reviewReport', {
    access: 'report:review',
    description:
      'Dismisses a report of any channel, or takes down what it is about. All open reports about the same are closed ' +
      'with it, and who made them is notified. Idempotent. For signed-in operators.',
    payload: (f) => ({ report: f.read({ type: ServerReport, description: 'The report.' }) }),
    args: (t) => ({
      id: t.field({ type: 'DID', required: true, description: id }),
      input: t.field({ type: ReviewReportInput, required: true, description: 'The decision.' }),
    }),
    command: async (context, { id: did, input }) => {
      const report = parse(context, did);
      await reviewReport(context, report, input);
      return report;
    },
  });
  graph.mutation('liftTakedown', {
    access: 'report:review',
    description:
      'Ends the takedown of what a report is about: it is visible again as its owner set it. Idempotent. For ' +
      'signed-in operators.',
    payload: (f) => ({ report: f.read({ type: ServerReport, description: 'The report.' }) }),
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: id }) }),
    command: async (context, { id: did }) => {
      const report = parse(context, did);
      await liftTakedown(context, report);
      return report;
    },
  });
}

function declareServerReport(graph: Graph, { Node, Channel, Account, enums }: Types): EntityRef {
  const Subject = graph.builder.enumType('ReportSubject', {
    description: 'What a report is about.',
    values: {
      CONTENT: { description: 'A content.' },
      COMMENT: { description: 'A comment.' },
      CHAT_MESSAGE: { description: 'A message in a chat.' },
      CHANNEL: { description: 'A channel.' },
    } as const,
  });
  return graph.entity('ServerReport', {
    description: 'A report, as operators of the server see it.',
    table: 'reports',
    interfaces: [Node],
    node: { kinds: ['serverReport'], where: (_, s) => `${s.viewer}.is_operator` },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the report for operators; others know it by another one.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('serverReport', id),
      }),
      reason: f.column({ type: enums.ReportReason, description: 'The reason.', sql: (s) => `${s.t}.reason` }),
      note: f.column({ type: 'String', description: 'Note of the reporter; may be empty.', sql: (s) => `${s.t}.note` }),
      status: f.column({ type: enums.ReportStatus, description: 'Its state.', sql: (s) => `${s.t}.status` }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was created.', sql: (s) => `${s.t}.created_at` }),
      resolvedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it was closed; null while it is open.',
        sql: (s) => `${s.t}.resolved_at`,
      }),
      subject: f.column({ type: Subject, description: 'What it is about.', sql: (s) => subjectKindOf(s.t) }),
      openReports: f.column({
        type: 'Int',
        description: 'Number of open reports about the same.',
        sql: (s) => countRows('reports', (row) => `${row}.subject_id = ${s.t}.subject_id and ${row}.status = 'OPEN'`),
      }),
      takenDownAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When an operator took it down; null if it is not.',
        sql: (s) => takenDownAt(s.t),
      }),
      channel: f.one({
        type: Channel,
        description: 'The channel that it is, or that it is in.',
        on: (child, s) => `${child}.id = ${s.t}.channel_id`,
      }),
      ...subjectFields(f),
      owner: f.one({
        type: Account,
        nullable: true,
        description:
          'Whose it is: the author of a comment or message, or the owner of the channel; null once it is deleted.',
        on: (child, s) => `${child}.id = ${ownerOfReport(s.t)}`,
      }),
      reporter: f.one({
        type: Account,
        nullable: true,
        description: 'Who reported it; null once the account is deleted.',
        on: (child, s) => `${child}.id = ${s.t}.account_id`,
      }),
    }),
  });
}

/** The content, comment or message that a report is about. */
function subjectFields(f: FieldFactory) {
  return {
    contentId: f.column({
      type: 'DID',
      nullable: true,
      description: 'Id of the content, or of that of the comment or message; null for a channel.',
      sql: (s) => [kindOfContent(contentOfReport(s.t)), contentOfReport(s.t)],
      read: ([kind, id]: [ContentKind | null, string | null], env) =>
        kind === null || id === null ? null : env.did(CONTENT_KINDS[kind].did, id),
    }),
    contentTitle: f.column({
      type: 'String',
      nullable: true,
      description: 'Title of that content.',
      sql: (s) => titleOfReport(s.t),
    }),
    commentBody: f.column({
      type: 'String',
      nullable: true,
      description:
        'Text of the comment, or of the message in a chat; null for something else, and once that is deleted.',
      sql: (s) => commentOfReport(s.t),
    }),
  };
}
