import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { readSearchParams } from './search-params.ts';

/** The search box of the header. The slash key focuses it; filters of the current search are kept. */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const query = useRouterState({
    select: ({ location }) => (location.pathname === '/search' ? (readSearchParams(location.search).q ?? '') : ''),
  });
  useEffect(() => {
    if (input.current) input.current.value = query;
  }, [query]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target?.closest('input, textarea, select, [contenteditable="true"], dialog')) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const q = input.current?.value.trim();
    if (q) void navigate({ to: '/search', search: (before) => ({ ...readSearchParams(before), q }) });
  };
  return (
    <search className="min-w-0 grow sm:mx-auto sm:max-w-md">
      <form onSubmit={submit} className="relative">
        <input
          ref={input}
          type="search"
          name="q"
          aria-label="Search"
          aria-keyshortcuts="/"
          placeholder="Search"
          maxLength={200}
          enterKeyHint="search"
          autoComplete="off"
          defaultValue={query}
          className={
            'h-10 w-full rounded-full border border-line-strong ' +
            'bg-surface pr-3 pl-10 text-fore placeholder:text-muted'
          }
        />
        <button
          type="submit"
          aria-label="Submit search"
          className="absolute inset-y-0 left-0 grid w-10 place-items-center rounded-full text-muted"
        >
          <Icon name="search" className="size-4.5" />
        </button>
      </form>
    </search>
  );
}
