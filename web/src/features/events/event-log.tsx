import { useState } from 'react';
import { EVENT_TYPES } from '../../gql/generated/event-types.gen.ts';
import type { EventPartsFragment } from '../../gql/generated/operations.gen.ts';
import { ago } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { t } from '../../lib/i18n.ts';
import type { SubscriptionState } from '../../lib/subscribe.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { eventTypeOf, patternOf } from './event-names.ts';
import { useEventLog } from './use-event-log.ts';

const STATES: Readonly<Record<SubscriptionState, string>> = {
  connecting: t`Connecting…`,
  live: t`Live: new events appear automatically.`,
  waiting: t`Connection lost. Reconnecting…`,
};

/** The event log of a channel, newest first, updated live. */
export function EventLog({ channel }: { channel: string }) {
  const [type, setType] = useState('');
  const { log, state, error, more, again } = useEventLog(channel, type === '' ? null : [eventTypeOf(type)]);
  const action = useAction();
  return (
    <section aria-label={t`Event log`} className="space-y-4">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-60">
          <SelectField label={t`Event type`} value={type} onChange={(event) => setType(event.currentTarget.value)}>
            <option value="">{t`All events`}</option>
            {Object.keys(EVENT_TYPES).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
        <p role="status" className="flex items-center gap-2 pb-2 text-sm text-muted">
          <span
            aria-hidden="true"
            className={`size-2.5 rounded-full ${state === 'live' && error === null ? 'bg-sea' : 'bg-line-strong'}`}
          />
          {error === null ? STATES[state] : t`Disconnected`}
        </p>
      </div>
      {error !== null && <ErrorNotice error={error} action={<Button onClick={again}>{t`Try again`}</Button>} />}
      {log?.events.length === 0 && (
        <Empty title={t`No events yet`}>
          {type === ''
            ? t`Upload, publish or edit a video to see events here.`
            : t`No ${type} events in the last 30 days.`}
        </Empty>
      )}
      <ul className="divide-y divide-line card empty:hidden">
        {log?.events.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </ul>
      {action.error !== null && <ErrorNotice error={action.error} />}
      {log?.older && (
        <p className="text-center">
          <Button busy={action.busy !== null} onClick={() => action.run('more', more)}>{t`Show older events`}</Button>
        </p>
      )}
    </section>
  );
}

function EventRow({ event }: { event: EventPartsFragment }) {
  const [open, setOpen] = useState(false);
  const text = JSON.stringify(event, null, 2);
  const type = patternOf(event.type);
  return (
    <li>
      <details className="group" onToggle={(change) => setOpen(change.currentTarget.open)}>
        <summary className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-5 py-3 hover:bg-raised/50">
          <Code className="font-mono text-sm font-semibold">{type}</Code>
          <span className="grow text-sm text-muted">{EVENT_TYPES[type]}</span>
          <time dateTime={event.createdAt} title={event.createdAt} className="text-sm text-muted">
            {ago(event.createdAt, Date.now())}
          </time>
          <Icon
            name="chevron"
            className="size-4 self-center text-muted transition-transform group-open:rotate-180 max-sm:hidden"
          />
        </summary>
        {open && (
          <div className="px-5 pb-5">
            <CodeBlock code={text} label={t`${type} as JSON`} copy={t`Copy JSON`} />
          </div>
        )}
      </details>
    </li>
  );
}
