import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { watchPath } from '../../lib/did.ts';
import { Icon } from '../../ui/icons.tsx';
import { forgetSearches, rememberSearch } from './recent-searches.ts';
import { readSearchParams } from './search-params.ts';
import { SuggestionList } from './suggestion-list.tsx';
import { type Suggestion, useSuggestions } from './use-suggestions.ts';

/**
 * The search box of the header, with suggestions. The slash key focuses it; filters of the current search are kept.
 */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const query = useRouterState({
    select: ({ location }) => (location.pathname === '/search' ? (readSearchParams(location.search).q ?? '') : ''),
  });
  const [text, setText] = useState(query);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const suggestions = useSuggestions(text, isOpen);
  const { search, open } = useOpening();
  useEffect(() => setText(query), [query]);
  useSlashKey(input);
  const close = (): void => {
    setOpen(false);
    setActive(-1);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    close();
    if (text.trim()) search(text.trim());
  };
  const choose = (suggestion: Suggestion): void => {
    close();
    if (suggestion.kind === 'recent') setText(suggestion.label);
    open(suggestion);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = suggestions[active];
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setOpen(true);
      // Before the first one is the text itself.
      const places = suggestions.length + 1;
      setActive(((active + 1 + step + places) % places) - 1);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      close();
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault();
      choose(chosen);
    }
  };
  const isShown = suggestions.length > 0;
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
          aria-label="Search"
          aria-keyshortcuts="/"
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls={isShown ? id : undefined}
          aria-activedescendant={suggestions[active] ? `${id}-${active}` : undefined}
          placeholder="Search"
          maxLength={200}
          enterKeyHint="search"
          autoComplete="off"
          value={text}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setOpen(true);
            setActive(-1);
          }}
          onKeyDown={onKeyDown}
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
      {isShown && (
        <SuggestionList
          id={id}
          suggestions={suggestions}
          active={active}
          onChoose={choose}
          onForget={() => {
            forgetSearches();
            input.current?.focus();
            close();
          }}
        />
      )}
    </search>
  );
}

/** Searching, which is remembered, and opening what a suggestion stands for. */
function useOpening() {
  const navigate = useNavigate();
  const search = (q: string): void => {
    rememberSearch(q);
    void navigate({ to: '/search', search: (before) => ({ ...readSearchParams(before), q }) });
  };
  const open = (suggestion: Suggestion): void => {
    if (suggestion.kind === 'recent') search(suggestion.label);
    else if (suggestion.kind === 'channel') void navigate({ to: '/@{$handle}', params: { handle: suggestion.handle } });
    // Pages of series lead on from here.
    else void navigate({ to: '/watch/$', params: { _splat: watchPath(suggestion.content.id) } });
  };
  return { search, open };
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
