import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { ShellIcon } from '../../ui/shell-icons.tsx';
import { rememberSearch } from './recent-searches.ts';
import { SearchInput } from './search-input.tsx';
import { readSearchParams } from './search-params.ts';
import { useSlashKey } from './use-slash-key.ts';

const Suggestions = lazy(async () => ({ default: (await import('./suggestions.tsx')).Suggestions }));

const NOTHING_SHOWN: { readonly isShown: boolean; readonly active: string | null } = { isShown: false, active: null };

/**
 * The search box of the header, with suggestions. The slash key focuses it; filters of the current search are kept.
 */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const keys = useRef<((key: string) => boolean) | null>(null);
  const id = useId();
  const navigate = useNavigate();
  const query = useRouterState({
    select: ({ location }) => (location.pathname === '/search' ? (readSearchParams(location.search).q ?? '') : ''),
  });
  const [text, setText] = useState(query);
  const [isOpen, setOpen] = useState(false);
  const [list, setList] = useState(NOTHING_SHOWN);
  useEffect(() => setText(query), [query]);
  useSlashKey(input);
  const close = (): void => {
    setOpen(false);
    setList(NOTHING_SHOWN);
  };
  const search = (q: string): void => {
    setText(q);
    rememberSearch(q);
    void navigate({ to: '/search', search: (before) => ({ ...readSearchParams(before), q }) });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    close();
    if (text.trim()) search(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (keys.current?.(event.key)) event.preventDefault();
    else if (event.key === 'ArrowDown') setOpen(true);
  };
  return (
    <search
      className="relative min-w-0 grow sm:mx-auto sm:max-w-md"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) close();
      }}
    >
      <form onSubmit={submit} className="relative">
        <SearchInput
          input={input}
          text={text}
          suggestions={{ id, ...list }}
          onText={setText}
          onOpen={() => setOpen(true)}
          onKeyDown={onKeyDown}
        />
        <button
          type="submit"
          aria-label={t`Submit search`}
          className="absolute inset-y-0 start-0 grid w-10 place-items-center rounded-full text-muted"
        >
          <ShellIcon name="search" className="size-4.5" />
        </button>
      </form>
      {isOpen && (
        <Suspense>
          <Suggestions
            id={id}
            text={text}
            keys={keys}
            onChange={setList}
            onSearch={search}
            onClose={close}
            onForget={() => {
              input.current?.focus();
              close();
            }}
          />
        </Suspense>
      )}
    </search>
  );
}
