import { useNavigate } from '@tanstack/react-router';
import type { CategoryNameFragment } from '../../gql/generated/operations.gen.ts';
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
  const names = new Intl.DisplayNames('en', { type: 'language' });
  const choose = (change: Record<string, string>): void =>
    void navigate({ to: '/search', search: readSearchParams({ ...params, ...change }), resetScroll: false });
  return (
    <fieldset className="flex flex-wrap items-end gap-3">
      <legend className="sr-only">Filters</legend>
      <Choice
        label="Length"
        value={params.length}
        choices={[
          ['short', 'Under 4 minutes'],
          ['medium', '4 to 20 minutes'],
          ['long', 'Over 20 minutes'],
        ]}
        onChoose={(length) => choose({ length })}
      />
      <Choice
        label="Published"
        value={params.date}
        choices={[
          ['day', 'Last 24 hours'],
          ['week', 'Last 7 days'],
          ['month', 'Last 30 days'],
          ['year', 'Last 365 days'],
        ]}
        onChoose={(date) => choose({ date })}
      />
      <Choice
        label="Category"
        value={params.category}
        choices={categories.map(({ slug, name }) => [slug, name] as const)}
        onChoose={(category) => choose({ category })}
      />
      <Choice
        label="Language"
        value={params.language}
        choices={LANGUAGES.map((tag) => [tag, names.of(tag) ?? tag] as const)}
        onChoose={(language) => choose({ language })}
      />
      {filtersSet(params) > 0 && (
        <Button look="quiet" onClick={() => choose({ length: '', date: '', category: '', language: '' })}>
          Clear filters
        </Button>
      )}
    </fieldset>
  );
}

interface ChoiceProperties {
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly (readonly [string, string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, choices, onChoose }: ChoiceProperties) {
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
        <option value="">{label}: any</option>
        {choices.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
