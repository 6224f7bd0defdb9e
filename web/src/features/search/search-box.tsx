import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { ShellIcon } from '../../ui/shell-icons.tsx';
import { rememberSearch } from './recent-searches.ts';
import { readSearchParams } from './search-params.ts';

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
        <input
          ref={input}
          type="text"
          name="q"
          role="combobox"
          aria-label={t`Search`}
          aria-keyshortcuts="/"
          aria-autocomplete="list"
          aria-expanded={list.isShown}
          aria-controls={list.isShown ? id : undefined}
          aria-activedescendant={list.active ?? undefined}
          placeholder={t`Search`}
          maxLength={200}
          enterKeyHint="search"
          autoComplete="off"
          value={text}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setOpen(true);
          }}
          onKeyDown={onKeyDown}
          className={
            'h-10 w-full rounded-full border border-line-strong ' +
            'bg-surface pe-3 ps-10 text-fore placeholder:text-muted'
          }
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

function useSlashKey(input: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target?.closest('input, textarea, select, [contenteditable="true"], dialog')) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [input]);
}
