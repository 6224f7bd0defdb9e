import type { LiveInputPartsFragment } from '../../gql/generated/operations.gen.ts';
import type { BroadcastState } from '../../gql/generated/types.gen.ts';
import { t } from '../../lib/i18n.ts';

const NOT_CONNECTED = { text: t`Not connected`, dot: 'bg-line-strong' } as const;

const STATES: Readonly<Record<BroadcastState, { readonly text: string; readonly dot: string }>> = {
  IDLE: NOT_CONNECTED,
  CONNECTED: { text: t`Connected: live in a moment`, dot: 'bg-accent' },
  LIVE: { text: t`Live`, dot: 'bg-sea' },
  RECONNECTING: { text: t`Reconnecting: the connection of the encoder was lost`, dot: 'bg-danger' },
  SCHEDULED: NOT_CONNECTED,
  MISSED: NOT_CONNECTED,
  CANCELED: NOT_CONNECTED,
  ENDED: NOT_CONNECTED,
  RECORDED: NOT_CONNECTED,
};

const WAITING = { text: t`Connected: viewers see nothing until you go live`, dot: 'bg-accent' } as const;

/** Whether an encoder is connected to a live input, in words that are announced when they change. */
export function LiveState({ input }: { readonly input: LiveInputPartsFragment }) {
  const { text, dot } = input.preview === null ? STATES[input.state] : WAITING;
  return (
    <p role="status" className="flex items-center gap-2 font-medium">
      <span aria-hidden="true" className={`size-2.5 shrink-0 rounded-full ${dot}`} />
      {text}
    </p>
  );
}
