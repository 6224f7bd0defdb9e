import { useState } from 'react';
import { ago, calendarDate } from '../../lib/format.ts';
import {
  type BrowserSession,
  browserSessions,
  changePassword,
  endOtherSessions,
  endSession,
} from '../../lib/session.ts';
import { useAction } from '../../lib/use-action.ts';
import { useForm } from '../../lib/use-form.ts';
import { useRowFocus } from '../../lib/use-row-focus.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { addressName, deviceName } from './device-name.ts';
import { NewPasswordField } from './new-password-field.tsx';

/** Password and sessions of the account. */
export function SecurityPanel({ sessions: first }: { readonly sessions: readonly BrowserSession[] }) {
  const [sessions, setSessions] = useState(first);
  return (
    <Panel title="Security">
      {/* A new password ends the other sessions. */}
      <PasswordForm onChanged={async () => setSessions(await browserSessions())} />
      <SessionList sessions={sessions} onChange={setSessions} />
    </Panel>
  );
}

function PasswordForm({ onChanged }: { readonly onChanged: () => Promise<void> }) {
  const form = useForm(async (data, element) => {
    await changePassword(String(data.get('currentPassword') ?? ''), String(data.get('newPassword') ?? ''));
    element.reset();
    await onChanged();
  });
  return (
    <form onSubmit={form.onSubmit} onChange={form.onChange} className="space-y-4">
      <h3 className="font-semibold">Password</h3>
      {form.error !== null && <ErrorNotice error={form.error} />}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Current password"
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          required
          error={form.fieldError('currentPassword')}
        />
        <NewPasswordField
          label="New password"
          name="newPassword"
          hint="At least 8 characters."
          error={form.fieldError('newPassword')}
        />
      </div>
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" busy={form.busy}>
          Change password
        </Button>
        <p role="status" className="text-sm text-sea">
          {form.saved ? 'Changed. Your other sessions were signed out.' : ''}
        </p>
      </div>
    </form>
  );
}

interface SessionsProperties {
  readonly sessions: readonly BrowserSession[];
  readonly onChange: (sessions: readonly BrowserSession[]) => void;
}

function SessionList({ sessions, onChange }: SessionsProperties) {
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
    <div className="space-y-3 border-t border-line pt-5">
      <h3 className="font-semibold">Sessions</h3>
      {action.error !== null && <ErrorNotice error={action.error} />}
      <ul {...rows} className="divide-y divide-line">
        {sessions.map((session) => (
          <Row key={session.id} session={session} busy={action.busy === session.id} onEnd={() => end(session)} />
        ))}
      </ul>
      {others.length > 1 && (
        <Button busy={action.busy === 'others'} onClick={endOthers}>
          Sign out all other sessions
        </Button>
      )}
    </div>
  );
}

interface RowProperties {
  readonly session: BrowserSession;
  readonly busy: boolean;
  readonly onEnd: () => void;
}

function Row({ session: { userAgent, ipAddress, createdAt, updatedAt, isCurrent }, busy, onEnd }: RowProperties) {
  const name = deviceName(userAgent) ?? 'Unknown device';
  const address = addressName(ipAddress);
  return (
    <li tabIndex={-1} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p>{name}</p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {address ? `${address} · ` : ''}signed in {calendarDate(createdAt)}
          {isCurrent ? '' : ` · active ${ago(updatedAt, Date.now())}`}
        </p>
      </div>
      {isCurrent ? (
        <p className="text-sm text-sea">This session</p>
      ) : (
        <Button busy={busy} onClick={onEnd} aria-label={`Sign out ${name}`}>
          Sign out
        </Button>
      )}
    </li>
  );
}
