import { useQuery } from '@tanstack/react-query';
import { AccountArchive, type ArchiveFragment, RequestAccountArchive } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { byteSize, calendarDate } from '../../lib/format.ts';
import { t, tc } from '../../lib/i18n.ts';
import { operationQuery, queryClient } from '../../lib/query.ts';
import { Button, buttonClass, Spinner } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PasswordDialog, useDialog } from '../security/password-dialog.tsx';

const POLL_MS = 3_000;
const ARCHIVE = operationQuery(AccountArchive);

const isBeingWritten = (archive: ArchiveFragment | null | undefined): boolean =>
  archive?.status === 'QUEUED' || archive?.status === 'RUNNING';

/** An archive of everything the account has on the server. */
export function ArchivePanel() {
  const { data, error } = useQuery({
    ...ARCHIVE,
    refetchInterval: ({ state }) => (isBeingWritten(state.data?.me.archive) ? POLL_MS : false),
  });
  const dialog = useDialog<'request'>();
  const archive = data?.me.archive;
  const request = async (password: string): Promise<void> => {
    await api(RequestAccountArchive, { input: { password } });
    dialog.close();
    await queryClient.invalidateQueries({ queryKey: ARCHIVE.queryKey });
  };
  return (
    <div id="data" className="scroll-mt-20">
      <Panel
        title={t`Your data`}
        hint={t`One ZIP file with your profile, channels, videos’ details, comments, likes, history and settings as
          JSON.`}
      >
        {error !== null && <ErrorNotice error={error} />}
        <div role="status" className="empty:hidden">
          {archive && <ArchiveState archive={archive} />}
        </div>
        <Button disabled={isBeingWritten(archive)} onClick={dialog.open('request')}>{t`Request archive`}</Button>
        {dialog.name === 'request' && (
          <PasswordDialog
            title={t`Request an archive of your data?`}
            confirmLabel={t`Request archive`}
            onClose={dialog.close}
            onPassword={request}
          >
            <p>{t`It is written in the background. You get a message when it can be downloaded, for 7 days.`}</p>
          </PasswordDialog>
        )}
      </Panel>
    </div>
  );
}

function ArchiveState({ archive }: { archive: ArchiveFragment }) {
  const { status, url, sizeBytes, expiresAt, createdAt } = archive;
  if (isBeingWritten(archive))
    return (
      <p className="flex items-center gap-2 text-muted">
        <Spinner />
        {t`Your archive is being prepared. You can leave this page.`}
      </p>
    );
  if (status === 'FAILED')
    return <p className="text-danger">{t`The archive could not be written. Request it again, or ask the operator.`}</p>;
  if (status === 'EXPIRED' || url === null)
    return <p className="text-muted">{t`The archive of ${calendarDate(createdAt)} was deleted.`}</p>;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <a href={url} download className={buttonClass('primary')}>
        {tc('verb', 'Download')}
      </a>
      <p className="text-sm text-muted">
        {byteSize(Number(sizeBytes))} ·{' '}
        {expiresAt === null
          ? t`of ${calendarDate(createdAt)}`
          : t`of ${calendarDate(createdAt)}, until ${calendarDate(expiresAt)}`}
      </p>
    </div>
  );
}
