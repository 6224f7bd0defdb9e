import { useState } from 'react';
import { ago, calendarDate } from '../../lib/format.ts';
import { useRowFocus } from '../../lib/hooks/use-row-focus.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { type Connection, disconnectApplication, hostOfDocument } from '../connect/connections.ts';

/** Applications and agents with access to the account, which can be disconnected. */
export function ConnectedApplications({ connections }: { readonly connections: readonly Connection[] }) {
  const [connected, setConnected] = useState(connections);
  const [disconnecting, setDisconnecting] = useState<Connection | null>(null);
  const rows = useRowFocus<HTMLUListElement>();
  const disconnect = async (clientId: string): Promise<void> => {
    await disconnectApplication(clientId);
    setConnected((known) => known.filter((each) => each.clientId !== clientId));
  };
  return (
    <>
      {connected.length === 0 && (
        <p className="text-muted">{t`No connected applications. Agents that you give only this server’s address ask
          for your permission to connect.`}</p>
      )}
      <ul {...rows} className="divide-y divide-line empty:hidden">
        {connected.map((connection) => (
          <li key={connection.clientId} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
            <div className="min-w-0">
              <p className="font-semibold [overflow-wrap:anywhere]">
                <bdi>{connection.name}</bdi>
              </p>
              <p className="text-sm text-muted [overflow-wrap:anywhere]">{factsOf(connection)}</p>
            </div>
            <Button
              onClick={() => setDisconnecting(connection)}
              aria-label={t`Disconnect ${connection.name}`}
            >{t`Disconnect`}</Button>
          </li>
        ))}
      </ul>
      <Confirm
        open={disconnecting !== null}
        title={t`Disconnect application?`}
        confirmLabel={t`Disconnect`}
        onConfirm={async () => {
          if (disconnecting) await disconnect(disconnecting.clientId);
        }}
        onClose={() => setDisconnecting(null)}
      >
        <p>
          <Trans>
            <strong className="[overflow-wrap:anywhere]">{disconnecting?.name}</strong> loses access{' '}
            <strong>immediately</strong> on every device. You can connect it again later.
          </Trans>
        </p>
      </Confirm>
    </>
  );
}

function factsOf({ clientId, connectedAt, lastUsedAt }: Connection): string {
  const facts = [
    hostOfDocument(clientId),
    t`Connected on ${calendarDate(connectedAt)}`,
    t`last used ${ago(lastUsedAt, Date.now())}`,
  ];
  return facts.filter(Boolean).join(' · ');
}
