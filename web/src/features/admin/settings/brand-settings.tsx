import { useState } from 'react';
import type { InstanceFieldsFragment } from '../../../gql/generated/operations.gen.ts';
import { textOf } from '../../../lib/hooks/use-form.ts';
import { t } from '../../../lib/i18n.ts';
import { CheckField, TextField } from '../../../ui/field.tsx';
import { SettingsForm } from './settings-form.tsx';

const DEFAULT_COLOR = '#ffb84d';

/** The accent color. */
export function BrandSettings({ instance }: { instance: InstanceFieldsFragment }) {
  const { accentColor } = instance;
  const [own, setOwn] = useState(accentColor !== null);
  return (
    <SettingsForm
      title={t`Colors`}
      hint={t`The accent color is that of buttons, links and progress, in dark and in light.`}
      instance={instance}
      labels={{ accentColor: t`Accent color` }}
      of={(stored) => ({ accentColor: stored.accentColor })}
      words={(_, value) => (value === null ? t`Default` : String(value))}
      read={(data) => ({ accentColor: own ? textOf(data, 'accentColor') : null })}
    >
      {(errorOf) => (
        <>
          <CheckField
            label={t`Use a color of our own`}
            checked={own}
            onChange={(event) => setOwn(event.currentTarget.checked)}
          />
          {own && <ColorField initial={accentColor ?? DEFAULT_COLOR} error={errorOf('accentColor')} />}
        </>
      )}
    </SettingsForm>
  );
}

/** A color, chosen or typed. */
function ColorField({ initial, error }: { initial: string; error: string | null }) {
  const [color, setColor] = useState(initial);
  return (
    <div className="flex items-start gap-3">
      <div className="grow">
        <TextField
          label={t`Accent color`}
          name="accentColor"
          value={color}
          onChange={(event) => setColor(event.currentTarget.value)}
          required
          placeholder="#1f6feb"
          hint={t`Shown a little lighter or darker where text in it needs that.`}
          error={error}
        />
      </div>
      <input
        type="color"
        aria-label={t`Choose the accent color`}
        value={/^#[0-9a-f]{6}$/i.test(color) ? color : DEFAULT_COLOR}
        onChange={(event) => setColor(event.currentTarget.value)}
        className="mt-6.5 h-11.5 w-14 shrink-0 rounded-lg border border-line-strong bg-ink p-1"
      />
    </div>
  );
}
