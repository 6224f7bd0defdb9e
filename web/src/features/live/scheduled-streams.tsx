import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  CancelStream,
  LiveInputs,
  ScheduledStreams as Scheduled,
  type ScheduledStreamFragment,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { contentTail } from '../../lib/did.ts';
import { localInstant } from '../../lib/format.ts';
import { useRestoreFocus } from '../../lib/hooks/use-restore-focus.ts';
import { Trans, t, tc } from '../../lib/i18n.ts';
import { operationQuery } from '../../lib/query.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { startText } from '../browse/broadcast-sign.ts';
import { VISIBILITY_WORDS } from './live-choices.ts';
import { ScheduleForm } from './schedule-form.tsx';

const POLL_MS = 10_000;

type Opened = { readonly dialog: 'schedule' | 'cancel'; readonly stream: ScheduledStreamFragment | null };

/** The scheduled broadcasts of a channel, and those that did not take place. Nothing without a live input. */
export function ScheduledStreams({ channel }: { readonly channel: string }) {
  const { data, error, refetch } = useQuery({
    ...operationQuery(Scheduled, { channel }),
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: true,
  });
  const inputs = useQuery(operationQuery(LiveInputs, { channel })).data?.liveInputs.edges.map(({ node }) => node) ?? [];
  const [opened, setOpened] = useState<Opened | null>(null);
  const heading = useRestoreFocus<HTMLHeadingElement>(opened?.dialog === 'cancel');
  const close = (): void => setOpened(null);
  const streams = data?.scheduledStreams.edges.map(({ node }) => node) ?? [];
  if (inputs.length === 0 && streams.length === 0) return null;
  const saved = async (): Promise<void> => {
    await refetch();
    close();
  };
  const cancel = async (): Promise<void> => {
    if (!opened?.stream) return;
    await api(CancelStream, { id: opened.stream.id });
    await refetch();
  };
  return (
    <section aria-label={t`Scheduled broadcasts`} className="space-y-4 card p-5 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold">{t`Scheduled broadcasts`}</h2>
        {inputs.length > 0 && (
          <Button onClick={() => setOpened({ dialog: 'schedule', stream: null })}>
            <Icon name="plus" className="size-4" /> {t`Schedule a broadcast`}
          </Button>
        )}
      </div>
      {error !== null && <ErrorNotice error={error} />}
      {data && streams.length === 0 && (
        <p className="text-muted">{t`Announce a broadcast: its page counts down, and your encoder begins it.`}</p>
      )}
      <ul className="divide-y divide-line empty:hidden">
        {streams.map((stream) => (
          <Row key={stream.id} stream={stream} onOpen={(dialog) => setOpened({ dialog, stream })} />
        ))}
      </ul>
      <Dialog
        open={opened?.dialog === 'schedule'}
        title={opened?.stream ? t`Reschedule` : t`Schedule a broadcast`}
        onClose={close}
      >
        <ScheduleForm inputs={inputs} stream={opened?.stream ?? null} onSaved={saved} onCancel={close} />
      </Dialog>
      <Confirm
        open={opened?.dialog === 'cancel'}
        title={t`Cancel broadcast?`}
        confirmLabel={t`Cancel broadcast`}
        onConfirm={cancel}
        onClose={close}
      >
        <p>
          <Trans>
            Only members of the channel see <strong>{opened?.stream?.metadata.title ?? ''}</strong> then. It can be
            scheduled again, or deleted.
          </Trans>
        </p>
      </Confirm>
    </section>
  );
}

interface RowProperties {
  readonly stream: ScheduledStreamFragment;
  readonly onOpen: (dialog: Opened['dialog']) => void;
}

function Row({ stream, onOpen }: RowProperties) {
  const { id, shortCode, metadata, broadcast } = stream;
  const { title, visibility } = metadata;
  const isScheduled = broadcast?.state === 'SCHEDULED';
  const at = broadcast?.scheduledAt ?? null;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 grow basis-60">
        <p className="font-medium [overflow-wrap:anywhere]">
          <Link to="/w/$code" params={{ code: shortCode }} className="hover:text-accent-text">
            <bdi>{title}</bdi>
          </Link>
        </p>
        <p className="text-sm text-muted">
          {[at === null ? '' : localInstant(at), stateText(stream), VISIBILITY_WORDS[visibility]].join(' · ')}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button aria-label={t`Reschedule ${title}`} onClick={() => onOpen('schedule')}>{t`Reschedule`}</Button>
        <Link
          to="/studio/content/$"
          params={{ _splat: contentTail(id) }}
          aria-label={t`Edit ${title}`}
          className={buttonClass('quiet')}
        >{t`Edit`}</Link>
        {isScheduled && (
          <Button look="quiet" aria-label={t`Cancel ${title}`} onClick={() => onOpen('cancel')}>{t`Cancel`}</Button>
        )}
      </div>
    </li>
  );
}

function stateText({ broadcast }: ScheduledStreamFragment): string {
  switch (broadcast?.state) {
    case 'MISSED':
      return t`Missed: no encoder came`;
    case 'CANCELED':
      return tc('broadcast', 'Canceled');
    default:
      return startText(broadcast?.scheduledAt ?? '', Date.now());
  }
}
