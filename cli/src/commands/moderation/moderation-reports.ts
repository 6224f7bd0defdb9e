import { Argument, Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Connection } from '../../../../clients/typescript/src/index.ts';
import { contextOf } from '../../context.ts';
import { changeEach } from '../../each.ts';
import { moment } from '../../format.ts';
import { noteRest, readList } from '../../lists.ts';
import { channelOption, examples, limitOption } from '../../options.ts';
import { visible } from './moderation-channel.ts';

const REPORTS = `query CliReports($id: DID!, $status: ReportStatus!, $first: Int, $after: String) {
  channel(id: $id) { reports(status: $status, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node {
      id reason note status createdAt resolvedAt madeBy { username }
      content { id metadata { title } } comment { id body author { username } }
      chatMessage { id body author { username } }
    } }
  } }
}`;
const STATES = ['OPEN', 'RESOLVED', 'DISMISSED'] as const;
const REASONS = ['SPAM', 'HARASSMENT', 'HATE', 'SEXUAL', 'VIOLENCE', 'MISINFORMATION', 'COPYRIGHT', 'OTHER'] as const;

interface Report {
  readonly id: string;
  readonly reason: string;
  readonly note: string;
  readonly status: string;
  readonly createdAt: string;
  readonly resolvedAt: string | null;
  readonly madeBy: { readonly username: string } | null;
  readonly content: { readonly id: string; readonly metadata: { readonly title: string } } | null;
  readonly comment: {
    readonly id: string;
    readonly body: string;
    readonly author: { readonly username: string } | null;
  } | null;
  readonly chatMessage: {
    readonly id: string;
    readonly body: string;
    readonly author: { readonly username: string };
  } | null;
}

const reports = new Command('reports')
  .description('List the reports about a channel, its contents, their comments and chats')
  .addOption(channelOption)
  .addOption(new Option('-s, --status <STATUS>', 'State of the reports').choices(STATES).default('OPEN' as const))
  .addOption(limitOption)
  .addHelpText('after', examples('reelgraph moderation reports', 'reelgraph moderation reports --status RESOLVED'))
  .action(async ({ channel, status, limit }, command) => {
    type Data = { readonly channel: { readonly reports: Connection<Report> | null } };
    const context = contextOf(command);
    const client = await context.client();
    const id = await context.channelIdOrOwn(client, channel);
    const pages = client.paginate<Connection<Report>, Data>(
      REPORTS,
      { id, status },
      (data) => visible(data.channel.reports),
      { limit, signal: context.signal },
    );
    const found = await readList(pages);
    context.result({ totalCount: found.totalCount, reports: found.nodes }, (out) =>
      out.list(
        found.nodes.map((report) => [
          report.id,
          moment(report.createdAt),
          out.style('yellow', report.reason),
          subjectOf(report),
        ]),
      ),
    );
    noteRest(context, found, `No ${status.toLowerCase()} reports.`);
  });

/** What was reported, and what the reporter wrote. */
function subjectOf({ content, comment, chatMessage, note }: Report): string {
  const text = comment ?? chatMessage;
  const author = text?.author ? ` by @${text.author.username}` : '';
  const subject = text
    ? `${comment ? 'comment' : 'chat message'}${author}: ${text.body}`
    : content
      ? `content: ${content.metadata.title}`
      : 'channel';
  return note === '' ? subject : `${subject} (note: ${note})`;
}

const CLOSINGS = [
  ['resolve', 'Close reports after acting on them', 'RESOLVED', 'resolved'],
  ['dismiss', 'Close reports that are about no violation', 'DISMISSED', 'dismissed'],
] as const;

const closings = CLOSINGS.map(([verb, summary, resolution, done]) =>
  new Command(verb)
    .description(summary)
    .argument('<REPORT...>', 'Identifiers of reports')
    .addHelpText('after', examples(`reelgraph moderation ${verb} did:reelgraph:report/0198c5a0-…`))
    .action(async (ids, _options, command) => {
      const context = contextOf(command);
      const client = await context.client();
      const resolve = async (id: string) =>
        (await client.resolveReport({ id, input: { resolution } }, { signal: context.signal })).report;
      await changeEach(context, 'reports', ids, resolve, done);
    }),
);

const report = new Command('report')
  .description('Report a content, a comment, a message in a chat or a channel to its moderators')
  .argument('<TARGET>', 'Identifier of a content, a comment, a message in a chat or a channel')
  .addArgument(new Argument('<REASON>', 'The reason').choices(REASONS))
  .option('--note <TEXT>', 'What the moderators should know')
  .addHelpText(
    'after',
    examples('reelgraph moderation report did:reelgraph:comment/0198c5a0-… SPAM --note "The same everywhere"'),
  )
  .action(async (target, reason, { note }, command) => {
    const context = contextOf(command);
    const variables = { input: { target, reason, note } };
    const { report: made } = await (await context.client()).report(variables, { signal: context.signal });
    context.done(made, 'reported', target);
  });

/** Reports of viewers. */
export const moderationReports: readonly CommandUnknownOpts[] = [reports, ...closings, report];
