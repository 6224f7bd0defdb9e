import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { SearchSuggestions, type SearchSuggestionsResult } from '../../gql/generated/operations.gen.ts';
import { operationQuery } from '../../lib/query.ts';
import { matchingSearches, recentSearches } from './recent-searches.ts';

const TYPING_MS = 150;
/** Shorter texts find too much. */
const LEAST_CHARACTERS = 2;
const MOST_RECENT = 4;
const KEPT_MS = 60_000;

type Found = SearchSuggestionsResult['search']['edges'][number]['node'];

/** Something to search for, or a page to open. */
export type Suggestion = { readonly key: string; readonly label: string } & (
  | { readonly kind: 'recent' }
  | { readonly kind: 'content'; readonly content: NonNullable<Found['content']> }
  | { readonly kind: 'channel'; readonly handle: string }
);

/**
 * What the text could become: recent searches of this browser, then titles of videos and channels. Errors are ignored.
 */
export function useSuggestions(text: string): readonly Suggestion[] {
  // One letter after other words finds nothing: it is hardly ever a word, and too short as a beginning.
  const wanted = useSettled(text.trim().replace(/(?<!\s)\s+\S$/u, ''));
  const { data } = useQuery({
    ...operationQuery(SearchSuggestions, { query: wanted }),
    enabled: wanted.length >= LEAST_CHARACTERS,
    placeholderData: keepPreviousData,
    staleTime: KEPT_MS,
  });
  const isSearch = text.trim().length >= LEAST_CHARACTERS;
  const known = matchingSearches(recentSearches(), text);
  const recent = (isSearch ? known.slice(0, MOST_RECENT) : known).map(
    (label): Suggestion => ({ key: `recent-${label}`, label, kind: 'recent' }),
  );
  const found = isSearch ? (data?.search.edges.flatMap(({ node }) => suggestionOf(node)) ?? []) : [];
  return [...recent, ...found];
}

function suggestionOf({ id, highlights, content, channel }: Found): readonly Suggestion[] {
  const label = highlights.title.map(({ text }) => text).join('');
  if (content) return [{ key: id, label, kind: 'content', content }];
  return channel ? [{ key: id, label, kind: 'channel', handle: channel.handle }] : [];
}

/** The value once nothing has been typed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
