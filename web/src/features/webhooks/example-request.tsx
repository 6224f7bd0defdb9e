import { useState } from 'react';
import { EVENT_EXAMPLES } from '../../gql/generated/event-examples.gen.ts';
import { EVENT_TYPES } from '../../gql/generated/event-types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { eventGroups } from './event-groups.ts';

const GROUPS = eventGroups(Object.keys(EVENT_TYPES));

/** Example payloads by event type. */
export function ExampleRequest({ channel }: { channel: string }) {
  const [type, setType] = useState('content.published');
  const event = channel.replace(/channel\/.*/, 'event/01a1fbda-4c11-7000-b3a7-2c5b0e6f9d10');
  const { subject, payload } = EVENT_EXAMPLES[type] ?? { subject: '', payload: {} };
  const isChannel = subject.includes(':channel/');
  const data = { id: event, channel, subject: isChannel ? channel : subject, payload };
  const message = { type, timestamp: '2026-11-20T20:33:31.123Z', data };
  return (
    <Panel title={t`Example request`}>
      <SelectField
        label={t`Event type`}
        value={type}
        hint={EVENT_TYPES[type]}
        onChange={(change) => setType(change.currentTarget.value)}
      >
        {GROUPS.map(({ title, types }) => (
          <optgroup key={types[0]} label={title}>
            {types.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectField>
      <CodeBlock code={JSON.stringify(message, null, 2)} label={t`Payload`} copy={t`Copy payload`} />
    </Panel>
  );
}
