import { useState } from 'react';
import { EVENT_TYPES } from '../../gql/generated/event-types.gen.ts';
import { plural, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { type EventGroup, eventGroups } from './event-groups.ts';
import { selectedTypes, withTypes } from './event-patterns.ts';

const ALL = Object.keys(EVENT_TYPES);
const GROUPS = eventGroups(ALL);

interface Properties {
  /** Names of types and wildcards. */
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** Selects event types of a webhook, by group. */
export function EventSelector({ chosen, onChange }: Properties) {
  const chosenCount = selectedTypes(chosen, ALL).length;
  return (
    <fieldset className="min-w-0 space-y-3">
      <legend className="text-sm font-semibold">
        {t`Events`}{' '}
        <span className="font-normal text-muted">
          ({chosenCount === 0 ? t`select at least one` : plural(chosenCount, { other: '# selected' })})
        </span>
      </legend>
      <div className="flex gap-1">
        <Button
          look="quiet"
          className="-ms-2.5 text-sm"
          onClick={() => onChange(new Set(['*']))}
        >{t`Select all, now and later`}</Button>
        <Button look="quiet" className="text-sm" onClick={() => onChange(new Set())}>{t`Clear selection`}</Button>
      </div>
      <div className="divide-y divide-line rounded-lg border border-line bg-ink">
        {GROUPS.map((group) => (
          <GroupSelector key={group.types[0]} group={group} chosen={chosen} onChange={onChange} />
        ))}
      </div>
    </fieldset>
  );
}

/** A group with a checkbox for all of its types. Initially open if some but not all are selected. */
function GroupSelector({ group: { title, types }, chosen, onChange }: Properties & { readonly group: EventGroup }) {
  const selected = selectedTypes(chosen, types);
  const [count, total] = [selected.length, types.length];
  const [openAtFirst] = useState(count > 0 && count < total);
  const set = (names: readonly string[], on: boolean): void => onChange(withTypes(chosen, { types: names, on }, ALL));
  return (
    <div className="relative">
      <input
        type="checkbox"
        aria-label={t`All events: ${title}`}
        checked={count === total}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && count < total;
        }}
        onChange={(event) => set(types, event.currentTarget.checked)}
        className="absolute top-2.5 start-4 size-6 accent-accent"
      />
      <details open={openAtFirst} className="group">
        <summary className="flex flex-wrap items-baseline gap-x-3 py-2.5 pe-4 ps-12 font-medium hover:bg-raised/50">
          {title}
          <span className="text-sm font-normal text-muted">{t`${count} of ${total}`}</span>
          <Icon
            name="chevron"
            className="ms-auto size-4 self-center text-muted transition-transform group-open:rotate-180"
          />
        </summary>
        <div className="grid gap-x-6 gap-y-3 px-4 pt-1 pb-4 sm:grid-cols-2 sm:ps-12">
          {types.map((name) => (
            <CheckField
              key={name}
              label={<Code className="font-mono text-sm">{name}</Code>}
              hint={EVENT_TYPES[name]}
              checked={selected.includes(name)}
              onChange={(event) => set([name], event.currentTarget.checked)}
            />
          ))}
        </div>
      </details>
    </div>
  );
}
