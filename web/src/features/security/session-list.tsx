import { ago, calendarDate } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { useRowFocus } from '../../lib/hooks/use-row-focus.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { addressName, deviceName } from './device-name.ts';
import { type BrowserSession, endOtherSessions, endSession } from './security-api.ts';

interface SessionsProperties {
  readonly sessions: readonly BrowserSession[];
  readonly onChange: (sessions: readonly BrowserSession[]) => void;
}

/** Browsers in which the account is signed in, with sign-out. */
export function SessionList({ sessions, onChange }: SessionsProperties) {
  const action = useAction();
  const rows = useRowFocus<HTMLUListElement>();
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  const end = (session: BrowserSession): void =>
    action.run(session.id, async () => {
      await endSession(session.token);
      onChange(sessions.filter(({ id }) => id !== session.id));
    });
  const endOthers = (): void =>
    action.run('others', async () => {
      await endOtherSessions();
      onChange(sessions.filter(({ isCurrent }) => isCurrent));
    });
  return (
    <Panel title={t`Sessions`}>
      {action.error !== null && <ErrorNotice error={action.error} />}
      <ul {...rows} className="divide-y divide-line">
        {sessions.map((session) => (
          <Row key={session.id} session={session} busy={action.busy === session.id} onEnd={() => end(session)} />
        ))}
      </ul>
      {others.length > 1 && (
        <Button busy={action.busy === 'others'} onClick={endOthers}>{t`Sign out all other sessions`}</Button>
      )}
    </Panel>
  );
}

interface RowProperties {
  readonly session: BrowserSession;
  readonly busy: boolean;
  readonly onEnd: () => void;
}

function Row({ session: { userAgent, ipAddress, createdAt, updatedAt, isCurrent }, busy, onEnd }: RowProperties) {
  const name = deviceName(userAgent) ?? t`Unknown device`;
  const facts = [
    addressName(ipAddress),
    t`signed in ${calendarDate(createdAt)}`,
    !isCurrent && t`active ${ago(updatedAt, Date.now())}`,
  ];
  return (
    <li tabIndex={-1} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p>{name}</p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      {isCurrent ? (
        <p className="text-sm text-sea">{t`This session`}</p>
      ) : (
        <Button busy={busy} onClick={onEnd} aria-label={t`Sign out ${name}`}>{t`Sign out`}</Button>
      )}
    </li>
  );
}
