import { useState } from 'react';
import { DisconnectYouTube, type YouTubeConnectionResult } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { calendarDate } from '../../lib/format.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { connectPath, OUTCOMES, type Outcome, type YouTubeSetup } from './setup.ts';

type Connection = YouTubeConnectionResult['me']['youtube'];

interface Properties {
  readonly connection: Connection;
  readonly setup: YouTubeSetup;
  /** Result of the last attempt to connect. */
  readonly outcome: Outcome | undefined;
}

/** The connected YouTube channel: connect and disconnect. */
export function YouTubeConnectionPanel({ connection: first, setup, outcome }: Properties) {
  const [connection, setConnection] = useState(first);
  const [message, setMessage] = useState<string>(outcome ? OUTCOMES[outcome] : '');
  return (
    <Panel title="YouTube" hint={t`Import videos from your YouTube channel and publish videos to it.`}>
      <p role="status" className="text-sm text-sea empty:hidden">
        {message}
      </p>
      {!setup.available && !connection && (
        <p className="text-muted">
          <Trans>
            YouTube is not set up on this server.{' '}
            <a href="/docs/guides/import-from-youtube" className="text-accent-text underline underline-offset-3">
              Setup guide
            </a>
          </Trans>
        </p>
      )}
      {setup.available && !connection?.connected && <Connect isBroken={connection !== null} />}
      {connection && (
        <Connected
          connection={connection}
          mayConnect={setup.available}
          onEnd={() => {
            setConnection(null);
            setMessage(t`YouTube is disconnected. Imported videos are kept.`);
          }}
        />
      )}
    </Panel>
  );
}

function Connect({ isBroken }: { readonly isBroken: boolean }) {
  const [upload, setUpload] = useState(false);
  return (
    <div className="space-y-4">
      {isBroken && <p>{t`Access was revoked in your Google account. Connect again to continue.`}</p>}
      <CheckField
        label={t`Allow publishing videos to YouTube`}
        hint={t`Without this permission, the server can only read your channel.`}
        checked={upload}
        onChange={(event) => setUpload(event.currentTarget.checked)}
      />
      <a href={connectPath(upload)} className={buttonClass('primary')}>{t`Connect YouTube`}</a>
    </div>
  );
}

interface ConnectedProperties {
  readonly connection: NonNullable<Connection>;
  readonly mayConnect: boolean;
  readonly onEnd: () => void;
}

function Connected({ connection, mayConnect, onEnd }: ConnectedProperties) {
  const [disconnecting, setDisconnecting] = useState(false);
  const { connected, channelTitle, connectedAt, hasUploadScope } = connection;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <div className="min-w-0">
        <p className="font-semibold [overflow-wrap:anywhere]">
          <bdi>{channelTitle}</bdi>
        </p>
        <p className="text-sm text-muted">
          {[
            connectedAt && t`Connected on ${calendarDate(connectedAt)}`,
            connected && (hasUploadScope ? t`can publish videos` : t`read-only`),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        {mayConnect && connected && !hasUploadScope && (
          <a href={connectPath(true)} className={buttonClass()}>{t`Allow publishing`}</a>
        )}
        <Button onClick={() => setDisconnecting(true)}>{t`Disconnect`}</Button>
      </div>
      <Confirm
        open={disconnecting}
        title={t`Disconnect YouTube?`}
        confirmLabel={t`Disconnect`}
        onConfirm={async () => {
          await api(DisconnectYouTube);
          onEnd();
        }}
        onClose={() => setDisconnecting(false)}
      >
        <p>
          <Trans>
            You can no longer import videos from <strong className="[overflow-wrap:anywhere]">{channelTitle}</strong> or
            publish to it. Imported videos are kept.
          </Trans>
        </p>
      </Confirm>
    </div>
  );
}
