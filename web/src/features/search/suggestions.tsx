import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useEffect, useState } from 'react';
import { forgetSearches } from './recent-searches.ts';
import { SuggestionList } from './suggestion-list.tsx';
import { type Suggestion, useSuggestions } from './use-suggestions.ts';

interface Properties {
  /** Id of the list; those of its options begin with it. */
  readonly id: string;
  readonly text: string;
  /** Where it puts what handles a key of the input: true for one that the input is to ignore. */
  readonly keys: RefObject<((key: string) => boolean) | null>;
  /** Tells the input whether something is shown, and the id of the option that the keys are at. */
  readonly onChange: (list: { readonly isShown: boolean; readonly active: string | null }) => void;
  readonly onSearch: (text: string) => void;
  readonly onClose: () => void;
  /** After the recent searches were cleared, by a button that is gone now. */
  readonly onForget: () => void;
}

/** The suggestions for the text of the search box. */
export function Suggestions({ id, text, keys, onChange, onSearch, onClose, onForget }: Properties) {
  const navigate = useNavigate();
  const suggestions = useSuggestions(text);
  const [active, setActive] = useState(-1);
  const chosen = suggestions[active];
  const choose = (suggestion: Suggestion): void => {
    onClose();
    if (suggestion.kind === 'recent') onSearch(suggestion.label);
    else if (suggestion.kind === 'channel') void navigate({ to: '/@{$handle}', params: { handle: suggestion.handle } });
    // Pages of series lead on from here.
    else void navigate({ to: '/w/$code', params: { code: suggestion.content.shortCode } });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text begins at its own line again
  useEffect(() => setActive(-1), [text]);
  const isShown = suggestions.length > 0;
  useEffect(
    () => onChange({ isShown, active: chosen ? `${id}-${active}` : null }),
    [id, isShown, active, chosen, onChange],
  );
  useEffect(() => {
    keys.current = (key) => {
      const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
      if (step !== 0) {
        // Before the first one is the text itself.
        const places = suggestions.length + 1;
        setActive(((active + 1 + step + places) % places) - 1);
      } else if (key === 'Escape') onClose();
      else if (key === 'Enter' && chosen) choose(chosen);
      else return false;
      return true;
    };
    return () => {
      keys.current = null;
    };
  });
  if (!isShown) return null;
  return (
    <SuggestionList
      id={id}
      suggestions={suggestions}
      active={active}
      onChoose={choose}
      onForget={() => {
        forgetSearches();
        onForget();
      }}
    />
  );
}
