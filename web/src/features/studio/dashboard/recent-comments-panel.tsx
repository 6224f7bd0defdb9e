import { Link } from '@tanstack/react-router';
import { plural, t } from '../../../lib/i18n.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { type InboxChannel, InboxRow } from '../inbox/inbox-row.tsx';
import { useInboxPages } from '../inbox/use-inbox.ts';

const AT_MOST = 3;

/** The newest comments without an answer, with reply and heart in place. */
export function RecentCommentsPanel({ channel, held }: { channel: InboxChannel; held: number }) {
  const pages = useInboxPages(channel.id, 'UNANSWERED');
  const shown = pages.comments.slice(0, AT_MOST);
  return (
    <Panel title={t`Comments to answer`}>
      {pages.isLoading && <div className="skeleton h-32 rounded-xl" />}
      {pages.error !== null && (
        <ErrorNotice error={pages.error} action={<Button onClick={pages.reload}>{t`Try again`}</Button>} />
      )}
      {!pages.isLoading && pages.error === null && shown.length === 0 && (
        <p className="text-muted">{t`Every comment has an answer.`}</p>
      )}
      <ul className="-my-4 divide-y divide-line empty:hidden">
        {shown.map((comment) => (
          <InboxRow
            key={comment.id}
            comment={comment}
            channel={channel}
            selection={null}
            onChange={pages.change}
            onStale={pages.reload}
          />
        ))}
      </ul>
      <p className="flex flex-wrap gap-2">
        <Link to="/studio/comments" className={buttonClass()}>{t`All comments`}</Link>
        {held > 0 && (
          <Link to="/studio/comments" search={{ filter: 'HELD' }} className={buttonClass('quiet')}>
            {plural(held, { other: '# held for review' })}
          </Link>
        )}
      </p>
    </Panel>
  );
}
