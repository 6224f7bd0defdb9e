import type { TaxonomyResult } from '../../../gql/generated/operations.gen.ts';
import { byName } from '../../../lib/by-name.ts';
import { locale, t } from '../../../lib/i18n.ts';

const listed = new Intl.ListFormat(locale, { type: 'unit', style: 'short' });

interface Properties {
  readonly name: string;
  readonly label: string;
  readonly all: TaxonomyResult['categories'];
  readonly chosen: { readonly edges: readonly { readonly node: { readonly id: string } }[] };
}

/** A collapsible list of checkboxes; the summary lists the selected names. */
export function TaxonomyPicker({ name, label, all, chosen }: Properties) {
  const ids = new Set(chosen.edges.map(({ node }) => node.id));
  const choices = byName(all.edges);
  const names = choices.filter(({ id }) => ids.has(id)).map(({ name }) => name);
  return (
    <details className="rounded-lg border border-line-strong bg-ink">
      <summary className="px-3 py-2.5">
        <span className="font-semibold">{label}</span>{' '}
        <span className="text-muted">{listed.format(names) || t`None`}</span>
      </summary>
      <fieldset className="grid gap-2 border-t border-line p-3 sm:grid-cols-2 xl:grid-cols-3">
        <legend className="sr-only">{label}</legend>
        {choices.map((choice) => (
          <label key={choice.id} className="flex items-center gap-2.5">
            <input
              type="checkbox"
              name={name}
              value={choice.id}
              defaultChecked={ids.has(choice.id)}
              className="size-4 accent-accent"
            />
            {choice.name}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
