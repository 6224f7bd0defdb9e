import { getRouteApi } from '@tanstack/react-router';
import { AdminHeader } from '../../features/admin/admin-header.tsx';
import { type MailMessagePageFragment, MailMessages } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { ago } from '../../lib/format.ts';
import { usePages } from '../../lib/hooks/use-pages.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { More } from '../../ui/more.tsx';

const route = getRouteApi('/admin/mail');

/** Messages in the mail folder, for operators to pass on. */
export function AdminMailPage() {
  const { serverStatus, mailMessages } = route.useLoaderData();
  return (
    <div className="mx-auto max-w-5xl space-y-6">
      <title>{`${t`Mail`} · ${t`Admin`} · ${siteName()}`}</title>
      <AdminHeader />
      {serverStatus.mail.transport === 'SMTP' ? (
        <p className="text-muted">{t`Messages are sent by SMTP; they are not kept here.`}</p>
      ) : (
        <>
          <p className="text-muted">{t`This server does not send mail: pass messages on to their recipients. Set
            MAIL=smtp to have them sent. A link that resets a password is as good as the password; open none that are
            for others.`}</p>
          <Messages first={mailMessages} />
        </>
      )}
    </div>
  );
}

function Messages({ first }: { readonly first: MailMessagePageFragment }) {
  const loadMore = async (after: string) => (await api(MailMessages, { after })).mailMessages;
  const pages = usePages({ queryKey: ['MailMessages'], first, loadMore, focus: 'summary' });
  return (
    <div ref={pages.list} className="space-y-6">
      {pages.nodes.length === 0 && <p className="text-muted">{t`No messages yet.`}</p>}
      <ul className="divide-y divide-line empty:hidden">
        {pages.nodes.map((message) => (
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
      <More pages={pages}>{t`Show more`}</More>
    </div>
  );
}
