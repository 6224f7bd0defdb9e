import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { VIDEO_KINDS } from '../kinds/kind-lists.ts';
import { KIND_NAMES } from '../kinds/kinds.ts';
import { COLUMN_NAMES, COLUMNS, type useColumns } from './columns.ts';
import { type ListSearch, SORTS, STATUSES, VISIBILITIES } from './list-search.ts';

/** How long the search waits for further typing. */
const TYPING_MS = 300;

const STATUS_NAMES = {
  DRAFT: t`Draft`,
  PROCESSING: t`Processing`,
  READY: t`Not published`,
  FAILED: t`Failed`,
  PUBLISHED: t`Published`,
} as const;
const VISIBILITY_NAMES = { PUBLIC: t`Public`, UNLISTED: t`Unlisted`, PRIVATE: t`Private` } as const;
const SORT_NAMES = {
  NEWEST: t`Newest`,
  OLDEST: t`Oldest`,
  TITLE: t`Title, A to Z`,
  TITLE_REVERSED: t`Title, Z to A`,
  MOST_VIEWED: t`Most views`,
  LEAST_VIEWED: t`Fewest views`,
  MOST_COMMENTED: t`Most comments`,
  LEAST_COMMENTED: t`Fewest comments`,
  MOST_LIKED: t`Most likes`,
  LEAST_LIKED: t`Fewest likes`,
} as const;

const BOX = 'min-h-10 rounded-lg border border-line-strong bg-ink px-3 text-[0.95rem] text-fore';

interface Properties {
  readonly search: ListSearch;
  readonly columns: ReturnType<typeof useColumns>;
}

/** Search, filters, order and columns of the list. Each choice has its own address. */
export function ListFilters({ search, columns }: Properties) {
  const navigate = useNavigate();
  const choose = (changes: { readonly [name in keyof ListSearch]?: string | undefined }): void => {
    const changed = { ...search, ...changes };
    const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value));
    void navigate({ to: '/studio/videos', search: given as ListSearch, replace: true }); // of the choices below
  };
  return (
    <search aria-label={t`Videos`} className="flex flex-wrap items-center gap-2">
      <TitleSearch query={search.q ?? ''} onChange={(q) => choose({ q })} />
      <Choice
        label={t`Type`}
        all={t`All types`}
        value={search.kind}
        choices={VIDEO_KINDS.map((kind) => [kind, KIND_NAMES[kind]])}
        onChange={(kind) => choose({ kind })}
      />
      <Choice
        label={t`Status`}
        all={t`All statuses`}
        value={search.status}
        choices={STATUSES.map((status) => [status, STATUS_NAMES[status]])}
        onChange={(status) => choose({ status })}
      />
      <Choice
        label={t`Visibility`}
        all={t`All visibilities`}
        value={search.visibility}
        choices={VISIBILITIES.map((visibility) => [visibility, VISIBILITY_NAMES[visibility]])}
        onChange={(visibility) => choose({ visibility })}
      />
      <span className="contents xl:hidden">
        <Choice
          label={t`Sort by`}
          value={search.sort ?? 'NEWEST'}
          choices={SORTS.map((sort) => [sort, SORT_NAMES[sort]])}
          onChange={(sort) => choose({ sort })}
        />
      </span>
      <ColumnChoice columns={columns} />
    </search>
  );
}

/** Searches a moment after typing. */
function TitleSearch({ query, onChange }: { query: string; onChange: (query: string) => void }) {
  const [text, setText] = useState(query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <label className="relative min-w-40 grow basis-52">
      <span className="sr-only">{t`Search by title`}</span>
      <Icon name="search" className="absolute top-2.5 start-3 size-5 text-muted" />
      <input
        type="search"
        value={text}
        placeholder={t`Search by title`}
        maxLength={200}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => onChange(value.trim()), TYPING_MS);
        }}
        className={`${BOX} w-full ps-10 placeholder:text-muted`}
      />
    </label>
  );
}

interface ChoiceProperties {
  readonly label: string;
  /** What no choice is called; without it, there always is one. */
  readonly all?: string;
  readonly value: string | undefined;
  readonly choices: readonly (readonly [value: string, name: string])[];
  readonly onChange: (value: string | undefined) => void;
}

function Choice({ label, all, value, choices, onChange }: ChoiceProperties) {
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      className={`${BOX} max-sm:grow`}
    >
      {all !== undefined && <option value="">{all}</option>}
      {choices.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </select>
  );
}

function ColumnChoice({ columns }: Pick<Properties, 'columns'>) {
  return (
    <Popover
      label={t`Columns`}
      face={
        <>
          <Icon name="list" className="size-4.5" /> {t`Columns`}
        </>
      }
      className={buttonClass('quiet')}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keeps the panel open between choices */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the choices are checkboxes, whose keys make clicks */}
      <div onClick={(event) => event.stopPropagation()}>
        {COLUMNS.map((column) => (
          <label key={column} className="flex min-h-10 items-center gap-3 rounded-lg px-3 hover:bg-raised">
            <input
              type="checkbox"
              checked={columns.shown.includes(column)}
              onChange={(event) => columns.show(column, event.currentTarget.checked)}
              className="size-4 accent-accent"
            />
            {COLUMN_NAMES[column]}
          </label>
        ))}
      </div>
    </Popover>
  );
}
