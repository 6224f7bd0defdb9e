import { useNavigate } from '@tanstack/react-router';
import type { CategoryNameFragment } from '../../gql/generated/operations.gen.ts';
import { locale, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { filtersSet, readSearchParams, type SearchParams } from './search-params.ts';

const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'ru', 'tr', 'uk', 'zh'];

interface Properties {
  readonly params: SearchParams;
  readonly categories: readonly CategoryNameFragment[];
}

/** Search filters; each selection has its own URL. */
export function SearchFilters({ params, categories }: Properties) {
  const navigate = useNavigate();
  const names = new Intl.DisplayNames(locale, { type: 'language' });
  const choose = (change: Record<string, string>): void =>
    void navigate({ to: '/search', search: readSearchParams({ ...params, ...change }), resetScroll: false });
  return (
    <fieldset className="flex flex-wrap items-end gap-3">
      <legend className="sr-only">{t`Filters`}</legend>
      <Choice
        label={t`Length`}
        any={t`Length: any`}
        value={params.length}
        choices={[
          ['short', t`Under 4 minutes`],
          ['medium', t`4 to 20 minutes`],
          ['long', t`Over 20 minutes`],
        ]}
        onChoose={(length) => choose({ length })}
      />
      <Choice
        label={t`Published`}
        any={t`Published: any`}
        value={params.date}
        choices={[
          ['day', t`Last 24 hours`],
          ['week', t`Last 7 days`],
          ['month', t`Last 30 days`],
          ['year', t`Last 365 days`],
        ]}
        onChoose={(date) => choose({ date })}
      />
      <Choice
        label={t`Category`}
        any={t`Category: any`}
        value={params.category}
        choices={categories.map((category) => [category.slug, category.name] as const)}
        onChoose={(category) => choose({ category })}
      />
      <Choice
        label={t`Language`}
        any={t`Language: any`}
        value={params.language}
        choices={LANGUAGES.map((tag) => [tag, names.of(tag) ?? tag] as const)}
        onChoose={(language) => choose({ language })}
      />
      {filtersSet(params) > 0 && (
        <Button
          look="quiet"
          onClick={() => choose({ length: '', date: '', category: '', language: '' })}
        >{t`Clear filters`}</Button>
      )}
    </fieldset>
  );
}

interface ChoiceProperties {
  readonly label: string;
  /** The choice that filters nothing. */
  readonly any: string;
  readonly value: string | undefined;
  readonly choices: readonly (readonly [string, string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, any, value, choices, onChoose }: ChoiceProperties) {
  return (
    <label className="block text-sm">
      <span className="sr-only">{label}</span>
      <select
        value={value ?? ''}
        onChange={(event) => onChoose(event.currentTarget.value)}
        className={
          'h-10 max-w-44 rounded-lg border bg-surface px-3 ' +
          `${value ? 'border-accent-text font-semibold' : 'border-line-strong text-muted'}`
        }
      >
        <option value="">{any}</option>
        {choices.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
