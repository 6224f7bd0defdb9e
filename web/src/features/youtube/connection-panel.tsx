import { useState } from 'react';
import { DisconnectYouTube, type YouTubeConnectionResult } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { calendarDate } from '../../lib/format.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { connectPath, OUTCOMES, type Outcome, type YouTubeSetup } from './setup.ts';

type Connection = YouTubeConnectionResult['me']['youtube'];

interface Properties {
  readonly connection: Connection;
  readonly setup: YouTubeSetup;
  /** How an attempt to connect has just ended. */
  readonly outcome: Outcome | undefined;
}

/** The channel on YouTube that is connected to the account, the way to connect one and the way out. */
export function YouTubeConnectionPanel({ connection: first, setup, outcome }: Properties) {
  const [connection, setConnection] = useState(first);
  const [said, setSaid] = useState<string>(outcome ? OUTCOMES[outcome] : '');
  return (
    <Panel title="YouTube" hint="Bring videos of your channel here, and send videos there.">
      <p role="status" className="text-sm text-sea empty:hidden">
        {said}
      </p>
      {!setup.available && !connection && (
        <p className="text-muted">
          The operator of this server has not set up YouTube.{' '}
          <a href="/docs/guides/import-from-youtube" className="text-accent-text underline underline-offset-3">
            How it is set up
          </a>
        </p>
      )}
      {setup.available && !connection?.connected && <Connect isBroken={connection !== null} />}
      {connection && (
        <Connected
          connection={connection}
          mayConnect={setup.available}
          onEnd={() => {
            setConnection(null);
            setSaid('YouTube is disconnected. What was imported stays.');
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
      {isBroken && <p>The connection was withdrawn at Google. Connect again to go on.</p>}
      <CheckField
        label="Also let it send videos to YouTube"
        hint="Without it the server only sees what is on your channel."
        checked={upload}
        onChange={(event) => setUpload(event.currentTarget.checked)}
      />
      <a href={connectPath(upload)} className={buttonClass('primary')}>
        Connect YouTube
      </a>
    </div>
  );
}

interface ConnectedProperties {
  readonly connection: NonNullable<Connection>;
  readonly mayConnect: boolean;
  readonly onEnd: () => void;
}

function Connected({ connection, mayConnect, onEnd }: ConnectedProperties) {
  const [leaving, setLeaving] = useState(false);
  const { connected, channelTitle, connectedAt, hasUploadScope } = connection;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <div className="min-w-0">
        <p className="font-semibold [overflow-wrap:anywhere]">{channelTitle}</p>
        <p className="text-sm text-muted">
          Connected on {connectedAt && calendarDate(connectedAt)}
          {connected && (hasUploadScope ? ' · may send videos there' : ' · may see the channel')}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        {mayConnect && connected && !hasUploadScope && (
          <a href={connectPath(true)} className={buttonClass()}>
            Allow sending videos
          </a>
        )}
        <Button onClick={() => setLeaving(true)}>Disconnect</Button>
      </div>
      <Confirm
        open={leaving}
        title="Disconnect YouTube?"
        yes="Disconnect"
        onYes={async () => {
          await api(DisconnectYouTube);
          onEnd();
        }}
        onClose={() => setLeaving(false)}
      >
        <p>
          Nothing is imported from <strong className="[overflow-wrap:anywhere]">{channelTitle}</strong> or sent there any more. What was
          imported stays.
        </p>
      </Confirm>
    </div>
  );
}
