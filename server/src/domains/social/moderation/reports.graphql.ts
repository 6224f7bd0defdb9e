import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { isVisibleContent } from '../../catalog/index.ts';
import { mayInChannel } from '../../channels/index.ts';
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

/** Declares reports: how they are made, where moderators read them and how they close them. */
export function declareReports(graph: Graph, types: Types): void {
  const Report = declareReport(graph, types);
  const { Channel, enums } = types;
  graph.extend(Channel, (f) => ({
    reports: f.connection({
      type: Report,
      nullable: true,
      description:
        'Reports on the channel, its contents and the comments on them, the latest first; null for anyone who does not moderate it.',
      args: (t) => ({ status: t.field({ type: enums.ReportStatus, required: true, defaultValue: 'OPEN', description: 'Which of them.' }) }),
      where: (child, s, args) => `${child}.channel_id = ${s.t}.id and ${child}.status = ${args.param('status', 'text')}`,
      order: (child) => [`${child}.created_at`, `${child}.id`],
      total: (s, args) => `counter_value('channel:reports:' || ${args.param('status', 'text')}, ${s.t}.id)`,
      visibleIf: (s) => mayInChannel(s, `${s.t}.id`, 'comment:moderate'),
    }),
  }));
  declareReporting(graph, Report, enums);
}

function declareReport(graph: Graph, { Node, Channel, Content, Comment, Person, enums }: Types): EntityRef {
  return graph.entity('Report', {
    description: 'What someone finds wrong with a content, a comment or a channel. Its maker and the moderators see it.',
    table: 'reports',
    interfaces: [Node],
    node: {
      kinds: ['report'],
      where: (child, s) =>
        `(${child}.account_id = ${s.viewer}.account_id or ${mayInChannel(s, `${child}.channel_id`, 'comment:moderate')})`,
    },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Identifier of the report.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('report', id),
      }),
      reason: f.column({ type: enums.ReportReason, description: 'What is wrong.', sql: (s) => `${s.t}.reason` }),
      note: f.column({ type: 'String', description: 'What the reporter adds; may be empty.', sql: (s) => `${s.t}.note` }),
      status: f.column({ type: enums.ReportStatus, description: 'Where it is.', sql: (s) => `${s.t}.status` }),
      channel: f.one({
        type: Channel,
        description: 'The channel whose moderators see it.',
        on: (child, s) => `${child}.id = ${s.t}.channel_id`,
      }),
      content: f.one({
        type: Content,
        nullable: true,
        description: 'The content that is reported; null where something else is, or where the viewer may not see it any more.',
        on: (child, s) => `${child}.id = ${s.t}.content_id and ${isVisibleContent(child, s)}`,
      }),
      comment: f.one({
        type: Comment,
        nullable: true,
        description: 'The comment that is reported; null where something else is.',
        on: (child, s) => `${child}.id = ${s.t}.comment_id`,
      }),
      madeBy: f.one({
        type: Person,
        nullable: true,
        description: 'Who reported it; null once the account is deleted.',
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
    description: 'What is wrong with something.',
    fields: (t) => ({
      target: t.field({ type: 'DID', required: true, description: 'Identifier of a content, a comment or a channel.' }),
      reason: t.field({ type: enums.ReportReason, required: true, description: 'What is wrong.' }),
      note: t.string({ description: `What is to be said besides, at most ${MAX_NOTE} characters.` }),
    }),
  });
  graph.mutation('report', {
    access: 'report:create',
    policies: [REPORTING],
    description: 'Reports something to the moderators of its channel. While the report is open, repeating it changes its reason and note.',
    payload: Report,
    args: (t) => ({ input: t.field({ type: ReportInput, required: true, description: 'The report.' }) }),
    command: (context, args) => report(context, args),
  });
  graph.mutation('resolveReport', {
    access: 'comment:moderate',
    description: 'Closes a report. Repeating it changes nothing.',
    payload: Report,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Identifier of the report.' }),
      resolution: t.field({ type: enums.ReportResolution, required: true, description: 'How.' }),
    }),
    statement: resolveReport,
  });
}
