import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { AdminHeader } from '../../features/admin/admin-header.tsx';
import { MailMessages } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { ago } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

const route = getRouteApi('/admin/mail');
/** As the query asks for. */
const PAGE_SIZE = 50;

/** Messages in the mail folder, for operators to pass on. */
export function AdminMailPage() {
  const { mailMessages } = route.useLoaderData();
  return (
    <div className="mx-auto max-w-5xl space-y-6">
      <title>{`${t`Mail`} · ${t`Admin`} · ${siteName()}`}</title>
      <AdminHeader />
      {mailMessages.transport === 'SMTP' ? (
        <p className="text-muted">{t`Messages are sent by SMTP; they are not kept here.`}</p>
      ) : (
        <>
          <p className="text-muted">{t`This server does not send mail: pass messages on to their recipients. Set
            MAIL=smtp to have them sent. A link that resets a password is as good as the password; open none that are
            for others.`}</p>
          <Messages first={mailMessages.messages} />
        </>
      )}
    </div>
  );
}

type Message = ReturnType<typeof route.useLoaderData>['mailMessages']['messages'][number];

function Messages({ first }: { readonly first: readonly Message[] }) {
  const [messages, setMessages] = useState(first);
  const [hasMore, setHasMore] = useState(first.length === PAGE_SIZE);
  const action = useAction();
  const more = (): void =>
    action.run('more', async () => {
      const older = (await api(MailMessages, { before: messages.at(-1)?.id ?? null })).mailMessages.messages;
      setMessages([...messages, ...older]);
      setHasMore(older.length === PAGE_SIZE);
    });
  return (
    <div className="space-y-6">
      {messages.length === 0 && <p className="text-muted">{t`No messages yet.`}</p>}
      <ul className="divide-y divide-line empty:hidden">
        {messages.map((message) => (
          <li key={message.id} className="py-1">
            <details>
              <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3 gap-y-1 py-2">
                <span className="font-semibold">
                  <bdi>{message.subject}</bdi>
                </span>
                <span className="text-muted [overflow-wrap:anywhere]">{message.to}</span>
                <time dateTime={message.sentAt} className="ms-auto text-sm text-muted">
                  {ago(message.sentAt, Date.now())}
                </time>
              </summary>
              <div className="space-y-3 pb-3">
                <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
                  {message.text}
                </p>
                <CopyButton text={message.text} label={t`Copy message`} />
              </div>
            </details>
          </li>
        ))}
      </ul>
      {action.error !== null && <ErrorNotice error={action.error} />}
      {hasMore && (
        <p className="text-center">
          <Button busy={action.busy !== null} onClick={more}>{t`Show more`}</Button>
        </p>
      )}
    </div>
  );
}
