import { t } from '../../lib/i18n.ts';
import { CheckField } from '../../ui/field.tsx';
import type { DeveloperChannel } from './channel-select.tsx';
import { toggled } from './toggled.ts';

interface Properties {
  readonly memberships: readonly DeveloperChannel[];
  /** Null: all. */
  readonly chosen: ReadonlySet<string> | null;
  readonly onChange: (chosen: ReadonlySet<string> | null) => void;
}

/** Limits the token to channels, for members of several. */
export function ChannelFields({ memberships, chosen, onChange }: Properties) {
  return (
    <fieldset className="min-w-0 space-y-3">
      <legend className="text-sm font-semibold">{t`Channels`}</legend>
      <CheckField
        label={t`All channels, now and later`}
        checked={chosen === null}
        onChange={(event) => onChange(event.currentTarget.checked ? null : new Set())}
      />
      {chosen && (
        <div className="max-h-48 space-y-3 overflow-y-auto rounded-lg border border-line bg-ink px-4 py-3">
          {memberships.map(({ channel: { id, metadata } }) => (
            <CheckField
              key={id}
              label={
                <span dir="auto" className="[overflow-wrap:anywhere]">
                  {metadata.title}
                </span>
              }
              checked={chosen.has(id)}
              onChange={(event) => onChange(toggled(chosen, id, event.currentTarget.checked))}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}
