import { useState } from 'react';
import type { StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { localInput } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { TextField } from '../../../ui/field.tsx';
import { type Audience, audienceOf, IN_FUTURE } from './audience.ts';

const MINUTE_MS = 60_000;

const CHOICES: readonly (readonly [Audience, string, string])[] = [
  ['PRIVATE', t`Private`, t`Only members of the channel can watch`],
  ['UNLISTED', t`Unlisted`, t`Anyone with the link can watch`],
  ['PUBLIC', t`Public`, t`Everyone can find and watch it`],
  ['SCHEDULED', t`Schedule`, t`Private until a date, then public`],
];

interface Properties {
  /** Null: nothing was chosen yet. */
  readonly content: StudioContentFragment | null;
  readonly dateError: string | null;
}

/** Who can watch a content, and from when on. */
export function AudienceFields({ content, dateError }: Properties) {
  const nowMs = Date.now();
  const [audience, setAudience] = useState(content ? audienceOf(content, nowMs) : 'PRIVATE');
  const scheduledMs = Date.parse(content?.metadata.releaseDate ?? '');
  return (
    <div className="space-y-4">
      <fieldset className="space-y-2.5">
        <legend className="mb-1.5 text-sm font-semibold">{t`Visibility`}</legend>
        {CHOICES.map(([value, label, hint]) => (
          <label key={value} className="flex items-start gap-3">
            <input
              type="radio"
              name="audience"
              value={value}
              checked={value === audience}
              onChange={() => setAudience(value)}
              className="mt-1 size-4 shrink-0 accent-accent"
            />
            <span>
              {label}
              <span className="block text-sm text-muted">{hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {audience === 'SCHEDULED' && (
        <TextField
          label={t`Date and time`}
          name="when"
          type="datetime-local"
          required
          min={localInput(nowMs + MINUTE_MS)}
          defaultValue={scheduledMs > nowMs ? localInput(scheduledMs) : ''}
          onInvalid={({ currentTarget }) => {
            currentTarget.setCustomValidity('');
            if (currentTarget.validity.rangeUnderflow) currentTarget.setCustomValidity(IN_FUTURE);
          }}
          onInput={({ currentTarget }) => currentTarget.setCustomValidity('')}
          hint={t`In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')}.`}
          error={dateError}
        />
      )}
    </div>
  );
}
