import type { KeyboardEvent, RefObject } from 'react';
import { t } from '../../lib/i18n.ts';

interface Properties {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly text: string;
  /** The list of suggestions, and the id of the option that the keys are at. */
  readonly suggestions: { readonly id: string; readonly isShown: boolean; readonly active: string | null };
  readonly onText: (text: string) => void;
  readonly onOpen: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** The input of the search box, which opens the suggestions (ARIA combobox with a list). */
export function SearchInput({ input, text, suggestions, onText, onOpen, onKeyDown }: Properties) {
  return (
    <input
      ref={input}
      type="text"
      name="q"
      role="combobox"
      aria-label={t`Search`}
      aria-keyshortcuts="/"
      aria-autocomplete="list"
      aria-expanded={suggestions.isShown}
      aria-controls={suggestions.isShown ? suggestions.id : undefined}
      aria-activedescendant={suggestions.active ?? undefined}
      placeholder={t`Search`}
      maxLength={200}
      enterKeyHint="search"
      autoComplete="off"
      value={text}
      onFocus={onOpen}
      onClick={onOpen}
      onChange={(event) => {
        onText(event.currentTarget.value);
        onOpen();
      }}
      onKeyDown={onKeyDown}
      className={
        'h-10 w-full rounded-full border border-line-strong bg-surface pe-3 ps-10 text-fore placeholder:text-muted'
      }
    />
  );
}
