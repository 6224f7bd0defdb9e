import { plural, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { CheckField } from '../../ui/field.tsx';
import { toggled } from './toggled.ts';
import { PRESETS, permissionGroups, type TokenPermission } from './token-permissions.ts';

interface Properties {
  readonly offered: readonly TokenPermission[];
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** What a token may do: presets above, and each permission by what it is about. */
export function PermissionFields({ offered, chosen, onChange }: Properties) {
  const chosenCount = offered.filter(({ name }) => chosen.has(name)).length;
  const groups = permissionGroups(offered);
  return (
    <fieldset className="min-w-0 space-y-3">
      <legend className="text-sm font-semibold">
        {t`Permissions`}{' '}
        <span className="font-normal text-muted">
          ({chosenCount === 0 ? t`select at least one` : plural(chosenCount, { other: '# selected' })})
        </span>
      </legend>
      <div className="flex flex-wrap gap-2">
        {PRESETS.map(([label, names]) => (
          <Button key={label} className="text-sm" onClick={() => onChange(new Set(names))}>
            {label}
          </Button>
        ))}
      </div>
      <div className="max-h-80 divide-y divide-line overflow-y-auto rounded-lg border border-line bg-ink">
        {groups.map(({ resource, title, permissions: some }) => (
          // biome-ignore lint/a11y/useSemanticElements: a legend cannot be laid out like the headings around it
          <div key={resource} role="group" aria-label={title} className="space-y-3 px-4 py-3">
            <p className="font-medium">{title}</p>
            {some.map(({ name, description }) => (
              <CheckField
                key={name}
                label={<Code className="font-mono text-sm">{name}</Code>}
                hint={description}
                checked={chosen.has(name)}
                onChange={(event) => onChange(toggled(chosen, name, event.currentTarget.checked))}
              />
            ))}
          </div>
        ))}
      </div>
    </fieldset>
  );
}
