import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  ChannelReports,
  DeleteChatMessage,
  RejectComments,
  type ReportResolution,
  type ReportStatus,
  ResolveReport,
  type StudioCommentsResult,
  type StudioReportFragment,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { ago } from '../../../lib/format.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { useRowFocus } from '../../../lib/hooks/use-row-focus.ts';
import { Trans, t, tc } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { REPORT_REASONS } from '../../social/report-reasons.ts';

type Page = NonNullable<NonNullable<StudioCommentsResult['channel']>['reports']>;

const STATUSES: readonly (readonly [ReportStatus, string])[] = [
  ['OPEN', tc('state', 'Open')],
  ['RESOLVED', t`Resolved`],
  ['DISMISSED', t`Dismissed`],
];

/** Reports by status; open ones can be resolved or dismissed. */
export function ReportList({ channelId, first }: { channelId: string; first: Page }) {
  const [status, setStatus] = useState<ReportStatus>('OPEN');
  const [reports, setReports] = useState<readonly StudioReportFragment[]>(first.edges.map(({ node }) => node));
  const [pageInfo, setPageInfo] = useState(first.pageInfo);
  const rows = useRowFocus<HTMLUListElement>();
  const action = useAction();
  const load = async (requested: ReportStatus, after: string | null): Promise<void> => {
    const page = (await api(ChannelReports, { id: channelId, status: requested, after })).channel?.reports;
    if (!page) return;
    const nodes = page.edges.map(({ node }) => node);
    setStatus(requested);
    setReports((known) => (after === null ? nodes : [...known, ...nodes]));
    setPageInfo(page.pageInfo);
  };
  const choose = (named: string): void => {
    const requested = STATUSES.find(([name]) => name === named)?.[0];
    if (requested) action.run('load', () => load(requested, null));
  };
  return (
    <Panel title={t`Reports`} hint={t`Reports from viewers about the channel, its videos, their comments and chats.`}>
      <SelectField label={t`Status`} value={status} onChange={(event) => choose(event.currentTarget.value)}>
        {STATUSES.map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </SelectField>
      {reports.length === 0 && <p className="text-muted">{status === 'OPEN' ? t`No open reports.` : t`No reports.`}</p>}
      <ul {...rows} className="divide-y divide-line empty:hidden">
        {reports.map((report) => (
          <ReportRow
            key={report.id}
            report={report}
            onClosed={() => setReports((known) => known.filter(({ id }) => id !== report.id))}
          />
        ))}
      </ul>
      {action.error !== null && <ErrorNotice error={action.error} />}
      {pageInfo.hasNextPage && (
        <p className="text-center">
          <Button
            busy={action.busy !== null}
            onClick={() => action.run('more', () => load(status, pageInfo.endCursor))}
          >{t`Show more`}</Button>
        </p>
      )}
    </Panel>
  );
}

function ReportRow({ report, onClosed }: { report: StudioReportFragment; onClosed: () => void }) {
  const action = useAction();
  const username = report.madeBy?.username;
  const quoted = report.comment?.body ?? report.chatMessage?.body;
  const facts = [
    username ? t`by @${username}` : t`by a deleted account`,
    ago(report.createdAt, Date.now()),
    report.resolvedAt && t`closed ${ago(report.resolvedAt, Date.now())}`,
  ].filter(Boolean);
  const settle = async (resolution: ReportResolution): Promise<void> => {
    await api(ResolveReport, { id: report.id, resolution });
    onClosed();
  };
  const takeBack = async (): Promise<void> => {
    if (report.comment) await api(RejectComments, { ids: [report.comment.id] });
    if (report.chatMessage) await api(DeleteChatMessage, { id: report.chatMessage.id });
    await settle('RESOLVED');
  };
  return (
    <li aria-label={username ? t`Report by ${username}` : t`Report by a deleted account`} className="space-y-2 py-4">
      <p className="font-semibold">{REPORT_REASONS[report.reason]}</p>
      <p className="text-sm text-muted">
        <Subject report={report} /> · {facts.join(' · ')}
      </p>
      {quoted && (
        <blockquote
          dir="auto"
          className="border-s-2 border-line-strong ps-3 whitespace-pre-line [overflow-wrap:anywhere]"
        >
          {quoted}
        </blockquote>
      )}
      {report.note && <p dir="auto" className="whitespace-pre-line [overflow-wrap:anywhere]">{t`“${report.note}”`}</p>}
      {report.status === 'OPEN' && (
        <div className="flex flex-wrap gap-2">
          {report.comment?.status === 'PUBLISHED' && (
            <Button
              busy={action.busy === 'takeBack'}
              onClick={() => action.run('takeBack', takeBack)}
            >{t`Remove comment`}</Button>
          )}
          {report.chatMessage && (
            <Button
              busy={action.busy === 'takeBack'}
              onClick={() => action.run('takeBack', takeBack)}
            >{t`Delete message`}</Button>
          )}
          <Button
            busy={action.busy === 'resolve'}
            onClick={() => action.run('resolve', () => settle('RESOLVED'))}
          >{t`Mark as resolved`}</Button>
          <Button
            look="quiet"
            busy={action.busy === 'dismiss'}
            onClick={() => action.run('dismiss', () => settle('DISMISSED'))}
          >{t`Dismiss`}</Button>
        </div>
      )}
      {action.error !== null && <ErrorNotice error={action.error} />}
    </li>
  );
}

function Subject({ report }: { report: StudioReportFragment }) {
  if (report.chatMessage) {
    const { author, stream } = report.chatMessage;
    const title = <ContentLink shortCode={stream.shortCode} title={stream.metadata.title} />;
    return (
      <Trans>
        Message by @{author.username} in the chat of {title}
      </Trans>
    );
  }
  if (report.comment) {
    const username = report.comment.author?.username;
    return username ? t`Comment by @${username}` : t`Comment by a deleted account`;
  }
  if (!report.content) return t`The channel`;
  return <ContentLink shortCode={report.content.shortCode} title={report.content.metadata.title} />;
}

function ContentLink({ shortCode, title }: { readonly shortCode: string; readonly title: string }) {
  return (
    <Link to="/w/$code" params={{ code: shortCode }} className="text-accent-text underline underline-offset-3">
      {title}
    </Link>
  );
}
