import { EVENT_TYPES } from '../../gql/generated/event-types.gen.ts';
import type { WebhookPartsFragment } from '../../gql/generated/operations.gen.ts';
import { plural } from '../../lib/i18n.ts';
import { Code } from '../../ui/code.tsx';
import { patternOf } from '../events/event-names.ts';
import { selectedTypes, wildcardMeaning } from './event-patterns.ts';

/** The types of events that a webhook receives, with their number as the summary. */
export function EventTypes({ webhook }: { webhook: WebhookPartsFragment }) {
  const events = webhook.events.map(patternOf);
  const count = selectedTypes(events, Object.keys(EVENT_TYPES)).length;
  return (
    <details>
      <summary className="w-fit rounded-lg font-medium">
        {plural(count, { one: '# event type', other: '# event types' })}
      </summary>
      <ul className="mt-2 space-y-1 ps-4 text-sm">
        {events.map((type) => (
          <li key={type} className="flex flex-wrap gap-x-3">
            <Code className="font-mono">{type}</Code>
            <span className="text-muted">{wildcardMeaning(type) ?? EVENT_TYPES[type]}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
