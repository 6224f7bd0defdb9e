import { useEffect, useRef, useState } from 'react';
import { LiveInputKey, type LiveInputPartsFragment } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Warning } from './warning.tsx';
import { WhipClient, WhipError } from './whip-client.ts';

type Source = 'camera' | 'screen';

interface Properties {
  readonly input: LiveInputPartsFragment;
  /** Where it is sent to. */
  readonly address: string;
  /** Reads the input again. */
  readonly onChange: () => Promise<void>;
}

/** Broadcasts the camera or the screen of this browser. */
export function BrowserBroadcast({ input, address, onChange }: Properties) {
  const [source, setSource] = useState<Source>('camera');
  const [stream, setStream] = useState<MediaStream | null>(null);
  const [client, setClient] = useState<WhipClient | null>(null);
  const [isLost, setLost] = useState(false);
  const action = useAction();
  const isElsewhere = client === null && (input.state === 'CONNECTED' || input.state === 'LIVE');
  useWarning(client !== null);
  useEffect(() => () => void (stream && release(stream)), [stream]);
  useEndWithPage(client);
  const capture = (wanted: Source): void =>
    action.run('capture', async () => {
      setSource(wanted);
      setStream(await captured(wanted));
    });
  const start = async (): Promise<void> => {
    if (!stream) return;
    setLost(false);
    const { node } = await api(LiveInputKey, { id: input.id });
    const onLost = (): void => {
      setLost(true);
      setClient(null);
    };
    setClient(await WhipClient.start({ address, streamKey: node?.streamKey ?? '', stream, onLost }));
    await onChange();
  };
  const stop = async (): Promise<void> => {
    await client?.stop();
    setClient(null);
    setStream(null);
    await onChange();
  };
  // Browsers have a button of their own that ends the sharing of a screen.
  const onEnded = (): void => (client === null ? setStream(null) : action.run('stop', stop));
  if (!stream)
    return (
      <div className="space-y-3">
        <Button disabled={isElsewhere} busy={action.busy === 'capture'} onClick={() => capture('camera')}>
          <Icon name="live" className="size-4" /> {t`Go live from this browser`}
        </Button>
        <Problem error={action.error} />
      </div>
    );
  return (
    <section aria-label={t`This browser`} className="space-y-3 rounded-xl border border-line p-4">
      <LocalPicture stream={stream} onEnded={onEnded} />
      {client === null && (
        <SegmentedControl
          label={t`What is broadcast`}
          name={`source-${input.id}`}
          options={{ camera: t`Camera`, screen: t`Screen` }}
          value={source}
          onChange={capture}
        />
      )}
      {client !== null && (
        <p role="status">
          {input.preview === null
            ? t`This browser broadcasts. Keep this page open.`
            : t`This browser sends. Keep this page open.`}
        </p>
      )}
      {isLost && (
        <Warning title={t`The connection to the server was lost.`} text={t`Start again to continue the broadcast.`} />
      )}
      <Problem error={action.error} />
      <div className="flex flex-wrap gap-2">
        {client === null ? (
          <Button look="primary" busy={action.busy === 'start'} onClick={() => action.run('start', start)}>
            {t`Start broadcast`}
          </Button>
        ) : (
          <Button busy={action.busy === 'stop'} onClick={() => action.run('stop', stop)}>
            {t`Stop broadcast`}
          </Button>
        )}
        {client === null && (
          <Button look="quiet" onClick={() => setStream(null)}>
            {t`Cancel`}
          </Button>
        )}
      </div>
    </section>
  );
}

/** What is captured, as it is seen here. */
function LocalPicture({ stream, onEnded }: { readonly stream: MediaStream; readonly onEnded: () => void }) {
  const element = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (element.current) element.current.srcObject = stream;
  }, [stream]);
  useEffect(() => {
    const [picture] = stream.getVideoTracks();
    picture?.addEventListener('ended', onEnded);
    return () => picture?.removeEventListener('ended', onEnded);
  }, [stream, onEnded]);
  return (
    <video
      ref={element}
      aria-label={t`What is captured`}
      autoPlay
      muted
      playsInline
      className="aspect-video w-full max-w-lg rounded-lg bg-black"
    />
  );
}

function Problem({ error }: { readonly error: unknown }) {
  if (error === null) return null;
  if (error instanceof WhipError) return <Warning title={t`The broadcast was refused.`} text={error.message} />;
  const text = error instanceof DOMException ? captureProblem(error) : null;
  return text === null ? <ErrorNotice error={error} /> : <Warning title={t`Nothing can be captured.`} text={text} />;
}

function captureProblem({ name }: DOMException): string {
  if (name === 'NotAllowedError')
    return t`Allow this site to use the camera and the microphone, or to share the screen.`;
  if (name === 'NotFoundError') return t`This device has no camera or no microphone.`;
  if (name === 'NotSupportedError') return t`Browsers allow that on pages with HTTPS only.`;
  return t`The camera or the microphone is used by another program.`;
}

/** The camera with the microphone, or a screen, with its sound where the browser offers that. */
async function captured(source: Source): Promise<MediaStream> {
  // Only pages with HTTPS, or of this machine, have devices.
  const devices: MediaDevices | undefined = navigator.mediaDevices;
  if (!devices) throw new DOMException('', 'NotSupportedError');
  const picture = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } };
  return source === 'camera'
    ? devices.getUserMedia({ video: picture, audio: true })
    : devices.getDisplayMedia({ video: { frameRate: { ideal: 30 } }, audio: true });
}

function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Ends the broadcast when its page is left for another one. */
function useEndWithPage(client: WhipClient | null): void {
  const current = useRef(client);
  useEffect(() => {
    current.current = client;
  }, [client]);
  useEffect(() => () => void current.current?.stop(), []);
}

/** Asks before the page is left while it broadcasts. */
function useWarning(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isOn]);
}
