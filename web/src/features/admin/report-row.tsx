import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ServerReportRowFragment } from '../../gql/generated/operations.gen.ts';
import { contentTail } from '../../lib/did.ts';
import { ago } from '../../lib/format.ts';
import { plural, Trans, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { REPORT_REASONS } from '../social/report-reasons.ts';

export type ReportAction = 'dismiss' | 'take-down' | 'lift' | 'suspend';

interface Properties {
  readonly report: ServerReportRowFragment;
  readonly onAction: (action: ReportAction, report: ServerReportRowFragment) => void;
}

/** A report in the queue of operators, with what it is about and what they can do. */
export function ReportRow({ report, onAction }: Properties) {
  const { reason, note, createdAt, openReports, takenDownAt, reporter, owner } = report;
  const facts = [
    reporter ? t`reported by ${reporter.username}` : t`reported by a deleted account`,
    openReports > 1 && plural(openReports, { one: '# open report', other: '# open reports' }),
  ];
  return (
    <li tabIndex={-1} className="space-y-2 py-4">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <strong>{REPORT_REASONS[reason]}</strong>
        <span className="text-sm text-muted">{facts.filter(Boolean).join(' · ')}</span>
        <time dateTime={createdAt} className="ms-auto text-sm text-muted">
          {ago(createdAt, Date.now())}
        </time>
      </p>
      {note !== '' && (
        <p dir="auto" className="whitespace-pre-line text-muted [overflow-wrap:anywhere]">{t`“${note}”`}</p>
      )}
      <Subject report={report} />
      <p className="flex flex-wrap gap-2 pt-1">
        {report.status === 'OPEN' && (
          <>
            <Button onClick={() => onAction('dismiss', report)}>{t`Dismiss`}</Button>
            {report.subject !== 'CHANNEL' && (
              <Button look="danger" onClick={() => onAction('take-down', report)}>{t`Take down`}</Button>
            )}
          </>
        )}
        {takenDownAt !== null && <Button onClick={() => onAction('lift', report)}>{t`End takedown`}</Button>}
        {owner !== null && owner.suspendedAt === null && !owner.isOperator && (
          <Button onClick={() => onAction('suspend', report)}>{t`Suspend account`}</Button>
        )}
      </p>
    </li>
  );
}

function Subject({ report }: Pick<Properties, 'report'>) {
  const { subject, contentId, contentTitle, commentBody, channel, owner, takenDownAt } = report;
  const content = contentId !== null && (
    <Link to="/watch/$" params={{ _splat: contentTail(contentId) }} className="font-semibold text-fore hover:underline">
      <bdi>{contentTitle}</bdi>
    </Link>
  );
  const channelLink = (
    <Link to="/@{$handle}" params={{ handle: channel.handle }} className="hover:underline">
      <bdi>{channel.name}</bdi>
    </Link>
  );
  return (
    <div className="border-s-2 border-line-strong ps-3 overflow-x-clip [overflow-wrap:anywhere]">
      {commentBody !== null && (
        <p dir="auto" className="whitespace-pre-line">
          {commentBody}
        </p>
      )}
      <p className={commentBody === null ? '' : 'text-sm text-muted'}>
        {content === false ? (
          <Trans>Channel {channelLink}</Trans>
        ) : (
          <>
            {subject === 'COMMENT' && <CommentOn content={content} author={owner?.username} />}
            {subject === 'CHAT_MESSAGE' && <MessageIn content={content} author={owner?.username} />}
            {subject === 'CONTENT' && content} · {channelLink}
          </>
        )}
      </p>
      {takenDownAt !== null && (
        <p className="text-sm text-danger">
          <Trans>Taken down {ago(takenDownAt, Date.now())}: only its owner sees it.</Trans>
        </p>
      )}
      {owner?.suspendedAt != null && (
        <p className="text-sm text-danger">
          <Trans>{owner.username} is suspended.</Trans>
        </p>
      )}
    </div>
  );
}

/** Whose message it is, and in which chat. */
function MessageIn({ content, author }: { readonly content: ReactNode; readonly author: string | undefined }) {
  if (author === undefined) return <Trans>Message by a deleted account in the chat of {content}</Trans>;
  return (
    <Trans>
      Message by {author} in the chat of {content}
    </Trans>
  );
}

/** Whose comment it is, and on what. */
function CommentOn({ content, author }: { readonly content: ReactNode; readonly author: string | undefined }) {
  if (author === undefined) return <Trans>Comment by a deleted account on {content}</Trans>;
  return (
    <Trans>
      Comment by {author} on {content}
    </Trans>
  );
}
