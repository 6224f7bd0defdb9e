import { useState } from 'react';
import { DeleteLiveInput, EndBroadcast, type LiveInputPartsFragment } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { ago } from '../../lib/format.ts';
import { useRestoreFocus } from '../../lib/hooks/use-restore-focus.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { showToast } from '../../ui/toast.tsx';
import { BrowserBroadcast } from './browser-broadcast.tsx';
import { EncoderAccess } from './encoder-access.tsx';
import { LATENCY_WORDS, RECORDING_WORDS, START_WORDS, VISIBILITY_WORDS } from './live-choices.ts';
import { EditLiveInput } from './live-input-form.tsx';
import { LiveState } from './live-state.tsx';
import { OnAir } from './on-air.tsx';
import { ReadyToStart } from './ready-to-start.tsx';
import { SimulcastTargets } from './simulcast-targets.tsx';
import { Warning } from './warning.tsx';

interface Properties {
  readonly input: LiveInputPartsFragment;
  /** Reads the list again. */
  readonly onChange: () => Promise<void>;
}

/** A live input: state, what it broadcasts, what its encoder needs, and actions. */
export function LiveInputCard({ input, onChange }: Properties) {
  const [open, setOpen] = useState<'edit' | 'delete' | 'end' | null>(null);
  const close = (): void => setOpen(null);
  // The button that ends a broadcast is gone with it.
  const heading = useRestoreFocus<HTMLHeadingElement>(open === 'end');
  const { id, name, visibility, latency, recording, lastRefusal, currentStream } = input;
  const words = [VISIBILITY_WORDS[visibility], LATENCY_WORDS[latency], RECORDING_WORDS[recording]];
  const summary = [...words, START_WORDS[input.start]];
  const saved = async (): Promise<void> => {
    await onChange();
    close();
  };
  const remove = async (): Promise<void> => {
    await api(DeleteLiveInput, { id });
    await onChange();
  };
  return (
    <li aria-label={name} className="space-y-5 card p-5 sm:p-6">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 space-y-1">
          <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold [overflow-wrap:anywhere]">
            <bdi>{name}</bdi>
          </h2>
          <LiveState input={input} />
          <p className="text-sm text-muted">{summary.join(' · ')}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button aria-label={t`Edit ${name}`} onClick={() => setOpen('edit')}>{t`Edit`}</Button>
          <Button look="quiet" aria-label={t`Delete ${name}`} onClick={() => setOpen('delete')}>
            <Icon name="trash" className="size-4" /> {t`Delete`}
          </Button>
        </div>
      </div>
      {lastRefusal && (
        <Warning title={t`The encoder was refused ${ago(lastRefusal.at, Date.now())}`} text={lastRefusal.reason} />
      )}
      {input.ingest.whip !== null && <BrowserBroadcast input={input} address={input.ingest.whip} onChange={onChange} />}
      {input.preview !== null && <ReadyToStart input={input} preview={input.preview} onChange={onChange} />}
      {currentStream && <OnAir stream={currentStream} onEnd={() => setOpen('end')} />}
      <EncoderAccess input={input} />
      <SimulcastTargets input={input} onChange={onChange} />
      <Dialog open={open === 'edit'} title={t`Edit live input`} onClose={close}>
        <EditLiveInput input={input} onSaved={saved} onCancel={close} />
      </Dialog>
      <Confirm
        open={open === 'delete'}
        title={t`Delete live input?`}
        confirmLabel={t`Delete`}
        onConfirm={remove}
        onClose={close}
      >
        <p>
          <Trans>
            Encoders with the stream key of <strong>{name}</strong> are refused, and what it broadcasts ends. The
            streams that it has made stay.
          </Trans>
        </p>
      </Confirm>
      <EndDialog stream={currentStream?.id} open={open === 'end'} onEnd={onChange} onClose={close} />
    </li>
  );
}

interface EndProperties {
  readonly stream: string | undefined;
  readonly open: boolean;
  readonly onEnd: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before a broadcast is ended. */
function EndDialog({ stream, open, onEnd, onClose }: EndProperties) {
  const end = async (): Promise<void> => {
    if (stream === undefined) return; // it has ended meanwhile
    await api(EndBroadcast, { id: stream });
    await onEnd();
    showToast({ text: t`The broadcast has ended.` });
  };
  return (
    <Confirm open={open} title={t`End broadcast?`} confirmLabel={t`End broadcast`} onConfirm={end} onClose={onClose}>
      <p>{t`It ends for everyone who watches it. The encoder is refused for a minute, because many connect again by
        themselves: stop it, too.`}</p>
    </Confirm>
  );
}
