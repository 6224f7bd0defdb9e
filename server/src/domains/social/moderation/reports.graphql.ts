import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { isVisibleContent } from '../../catalog/index.ts';
import { mayInChannel, tokenAllows } from '../../channels/index.ts';
import type { SocialEnums } from '../social-enums.graphql.ts';
import { REPORTING } from './reports.policy.ts';
import { MAX_NOTE, report, resolveReport } from './reports.ts';

interface Types {
  readonly Node: EntityRef;
  readonly Channel: EntityRef;
  readonly Content: EntityRef;
  readonly Comment: EntityRef;
  readonly Person: EntityRef;
  readonly enums: SocialEnums;
}

/** Declares reports: creating, listing and resolving them. Returns their type. */
export function declareReports(graph: Graph, types: Types): EntityRef {
  const Report = declareReport(graph, types);
  const { Channel, enums } = types;
  graph.extend(Channel, (f) => ({
    reports: f.connection({
      type: Report,
      nullable: true,
      description:
        'Reports on the channel, its contents, the comments on them and messages in their chats, newest ' +
        'first; null unless the viewer moderates it.',
      args: (t) => ({
        status: t.field({
          type: enums.ReportStatus,
          required: true,
          defaultValue: 'OPEN',
          description: 'Only reports in this state.',
        }),
      }),
      where: (child, s, args) =>
        `${child}.channel_id = ${s.t}.id and ${child}.status = ${args.param('status', 'text')}`,
      order: (child) => [`${child}.created_at`, `${child}.id`],
      total: (s, args) => `counter_value('channel:reports:' || ${args.param('status', 'text')}, ${s.t}.id)`,
      visibleIf: (s) => mayInChannel(s, `${s.t}.id`, 'comment:moderate'),
    }),
  }));
  declareReporting(graph, Report, enums);
  return Report;
}

function declareReport(graph: Graph, { Node, Channel, Content, Comment, Person, enums }: Types): EntityRef {
  return graph.entity('Report', {
    description:
      'A report on a content, a comment, a message in a chat or a channel. Its author and the moderators see it.',
    table: 'reports',
    interfaces: [Node],
    node: {
      kinds: ['report'],
      where: (child, s) =>
        `(${child}.account_id = ${s.viewer}.account_id${tokenAllows(s, null, child)} or ` +
        `${mayInChannel(s, `${child}.channel_id`, 'comment:moderate')})`,
    },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the report.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('report', id),
      }),
      reason: f.column({ type: enums.ReportReason, description: 'The reason.', sql: (s) => `${s.t}.reason` }),
      note: f.column({ type: 'String', description: 'Note of the reporter; may be empty.', sql: (s) => `${s.t}.note` }),
      status: f.column({ type: enums.ReportStatus, description: 'State of the report.', sql: (s) => `${s.t}.status` }),
      channel: f.one({
        type: Channel,
        description: 'The channel whose moderators review it.',
        on: (child, s) => `${child}.id = ${s.t}.channel_id`,
      }),
      content: f.one({
        type: Content,
        nullable: true,
        description:
          'The reported content; null if the report is about something else, or the viewer may no longer see it.',
        on: (child, s) => `${child}.id = ${s.t}.content_id and ${isVisibleContent(child, s)}`,
      }),
      comment: f.one({
        type: Comment,
        nullable: true,
        description: 'The reported comment; null if the report is about something else.',
        on: (child, s) => `${child}.id = ${s.t}.comment_id`,
      }),
      madeBy: f.one({
        type: Person,
        nullable: true,
        description: 'The reporter; null once the account is deleted.',
        on: (child, s) => `${child}.id = ${s.t}.account_id`,
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was created.', sql: (s) => `${s.t}.created_at` }),
      resolvedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it was closed; null while it is open.',
        sql: (s) => `${s.t}.resolved_at`,
      }),
    }),
  });
}

function declareReporting(graph: Graph, Report: EntityRef, enums: SocialEnums): void {
  const ReportInput = graph.builder.inputType('ReportInput', {
    description: 'Reason of a report.',
    fields: (t) => ({
      target: t.field({
        type: 'DID',
        required: true,
        description: 'Id of a content, a comment, a message in a chat or a channel.',
      }),
      reason: t.field({ type: enums.ReportReason, required: true, description: 'The reason.' }),
      note: t.string({ description: `A note, at most ${MAX_NOTE} characters.` }),
    }),
  });
  graph.mutation('report', {
    access: 'report:create',
    policies: [REPORTING],
    description:
      'Reports an object to the moderators of its channel. While the ' +
      'report is open, repeating it updates its reason and note.',
    payload: (f) => ({ report: f.read({ type: Report, description: 'The report.' }) }),
    args: (t) => ({ input: t.field({ type: ReportInput, required: true, description: 'The report.' }) }),
    command: (context, args) => report(context, args),
  });
  const ResolveReportInput = graph.builder.inputType('ResolveReportInput', {
    description: 'How a report is closed.',
    fields: (t) => ({
      resolution: t.field({ type: enums.ReportResolution, required: true, description: 'The resolution.' }),
    }),
  });
  graph.mutation('resolveReport', {
    access: 'comment:moderate',
    description: 'Closes a report. Idempotent.',
    payload: (f) => ({ report: f.read({ type: Report, description: 'The report.' }) }),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the report.' }),
      input: t.field({ type: ResolveReportInput, required: true, description: 'How it is closed.' }),
    }),
    statement: resolveReport,
  });
}
