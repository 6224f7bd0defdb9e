import { type ReactNode, useId, useState } from 'react';
import { LiveInputKey, type LiveInputPartsFragment, RotateLiveInputKey } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { showToast } from '../../ui/toast.tsx';

/** What an encoder asks for: the address of the server, and the stream key; for SRT, an address and a passphrase. */
export function EncoderAccess({ input }: { readonly input: LiveInputPartsFragment }) {
  const { rtmp, rtmps, srt, whip } = input.ingest;
  return (
    <div className="space-y-4">
      {rtmp === null && rtmps === null && (
        <p className="text-muted">
          <Trans>
            This server does not receive RTMP: its operator can switch that on with the setting <Code>RTMP_PORT</Code>.
          </Trans>
        </p>
      )}
      {rtmps !== null && <Server title={t`Server`} address={rtmps} />}
      {rtmp !== null && <Server title={rtmps === null ? t`Server` : t`Server, not encrypted`} address={rtmp} />}
      <Credentials input={input} />
      {whip !== null && (
        <Access title={t`WHIP server`} shown={<Code className={BOX}>{whip}</Code>}>
          <CopyButton text={whip} label={t`Copy WHIP address`} />
        </Access>
      )}
      {input.srt && srt === null && <p className="text-muted">{t`This server does not receive SRT at present.`}</p>}
    </div>
  );
}

const BOX =
  'block min-w-0 max-w-full grow basis-72 rounded-lg border border-line bg-ink px-4 py-2.25 font-mono text-sm';

function Server({ title, address }: { readonly title: string; readonly address: string }) {
  return (
    <Access title={title} shown={<Code className={BOX}>{address}</Code>}>
      <CopyButton text={address} label={t`Copy address`} />
    </Access>
  );
}

interface AccessProperties {
  readonly title: string;
  readonly shown: ReactNode;
  readonly children: ReactNode;
}

function Access({ title, shown, children }: AccessProperties) {
  const heading = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" aria-labelledby={heading} className="space-y-1.5">
      <h3 id={heading} className="text-sm font-semibold">
        {title}
      </h3>
      <div className="flex flex-wrap items-center gap-2">
        {shown}
        {children}
      </div>
    </div>
  );
}

interface Keys {
  readonly streamKey: string;
  /** Null unless the input receives SRT. */
  readonly srtPassphrase: string | null;
}

/** The stream key, and the passphrase for SRT, which are in the page only while they are shown or copied. */
function Credentials({ input }: { readonly input: LiveInputPartsFragment }) {
  const { id } = input;
  const { srt } = input.ingest;
  const [keys, setKeys] = useState<Keys | null>(null);
  const [rotating, setRotating] = useState(false);
  const [unread, setUnread] = useState<unknown>(null);
  const action = useAction();
  const read = async (): Promise<Keys> => {
    const { node } = await api(LiveInputKey, { id });
    return { streamKey: node?.streamKey ?? '', srtPassphrase: node?.srtPassphrase ?? null };
  };
  const copied = async (textOf: (keys: Keys) => string): Promise<string> => {
    setUnread(null);
    return read().then(textOf, (error: unknown) => {
      setUnread(error);
      throw error;
    });
  };
  const rotate = async (): Promise<void> => {
    const { liveInput } = (await api(RotateLiveInputKey, { id })).rotateLiveInputKey;
    setKeys((known) => known && liveInput);
    showToast({ text: t`The stream key was replaced. Enter the new one in your encoder.` });
  };
  const passphraseOf = ({ srtPassphrase }: Keys): string => srtPassphrase ?? '';
  const error = action.error ?? unread;
  return (
    <>
      <Access title={t`Stream key`} shown={<Shown value={keys?.streamKey} label={t`Stream key`} />}>
        <CopyButton text={() => copied(({ streamKey }) => streamKey)} label={t`Copy key`} />
        <Button
          busy={action.busy === 'show'}
          onClick={() => (keys === null ? action.run('show', async () => setKeys(await read())) : setKeys(null))}
        >
          <Icon name={keys === null ? 'eye' : 'hidden'} /> {keys === null ? t`Show key` : t`Hide key`}
        </Button>
        <Button look="quiet" onClick={() => setRotating(true)}>
          <Icon name="replay" className="size-4" /> {t`New key`}
        </Button>
      </Access>
      {srt !== null && (
        <>
          <Access title={t`SRT server`} shown={<Code className={BOX}>{srt}</Code>}>
            <CopyButton text={srt} label={t`Copy SRT address`} />
            <CopyButton
              text={() => copied((found) => `${srt}?passphrase=${passphraseOf(found)}`)}
              label={t`Copy address with passphrase`}
            />
          </Access>
          <Access title={t`SRT passphrase`} shown={<Shown value={keys?.srtPassphrase} label={t`SRT passphrase`} />}>
            <CopyButton text={() => copied(passphraseOf)} label={t`Copy passphrase`} />
          </Access>
        </>
      )}
      {error !== null && <ErrorNotice error={error} />}
      <Confirm
        open={rotating}
        title={t`Replace the stream key?`}
        confirmLabel={t`New key`}
        look="primary"
        onConfirm={rotate}
        onClose={() => setRotating(false)}
      >
        <p>{t`Encoders that connect with the present key are refused at once. A broadcast that is live goes on.`}</p>
        {srt !== null && <p>{t`The passphrase for SRT is replaced, too.`}</p>}
      </Confirm>
    </>
  );
}

interface ShownProperties {
  readonly value: string | null | undefined;
  readonly label: string;
}

/** A credential, or dots in its place. */
function Shown({ value, label }: ShownProperties) {
  if (value != null)
    return (
      <Code as="output" aria-label={label} className={BOX}>
        {value}
      </Code>
    );
  return (
    <p dir="ltr" className={`${BOX} text-muted`}>
      <span aria-hidden="true">{'•'.repeat(24)}</span>
      <span className="sr-only">{t`${label}: hidden`}</span>
    </p>
  );
}
