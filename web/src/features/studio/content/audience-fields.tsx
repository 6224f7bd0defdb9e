import { useState } from 'react';
import type { StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { textOf } from '../../../lib/use-form.ts';
import { TextField } from '../../../ui/field.tsx';
import { type Audience, audienceOf } from './audience.ts';

const CHOICES: readonly (readonly [Audience, string, string])[] = [
  ['PRIVATE', t`Private`, t`Only members of the channel can watch`],
  ['UNLISTED', t`Unlisted`, t`Anyone with the link can watch`],
  ['PUBLIC', t`Public`, t`Everyone can find and watch it`],
  ['SCHEDULED', t`Schedule`, t`Private until a date, then public`],
];

/** Reads what was chosen in {@link AudienceFields}. */
export function readAudience(data: FormData): { readonly audience: Audience; readonly releaseDate: string | null } {
  const audience = CHOICES.find(([value]) => value === data.get('audience'))?.[0] ?? 'PRIVATE';
  const when = textOf(data, 'when');
  return { audience, releaseDate: audience === 'SCHEDULED' && when ? new Date(when).toISOString() : null };
}

interface Properties {
  /** Null: nothing was chosen yet. */
  readonly content: StudioContentFragment | null;
  readonly dateError: string | null;
}

/** Who can watch a content, and from when on. */
export function AudienceFields({ content, dateError }: Properties) {
  const [audience, setAudience] = useState(content ? audienceOf(content, Date.now()) : 'PRIVATE');
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
          defaultValue={localInput(content?.metadata.releaseDate ?? null)}
          hint={t`In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')}.`}
          error={dateError}
        />
      )}
    </div>
  );
}

/** An instant as the value of a field for local times. */
function localInput(instant: string | null): string {
  if (instant === null) return '';
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
