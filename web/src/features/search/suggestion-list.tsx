import { t } from '../../lib/i18n.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import type { Suggestion } from './use-suggestions.ts';

const ICONS: Readonly<Record<Suggestion['kind'], IconName>> = {
  recent: 'clock',
  content: 'play',
  channel: 'person',
};
const KINDS: Readonly<Record<Suggestion['kind'], string>> = {
  recent: t`Recent search`,
  content: t`Video`,
  channel: t`Channel`,
};

interface Properties {
  readonly id: string;
  readonly suggestions: readonly Suggestion[];
  /** Index of the one that the keys are at; -1 for none. */
  readonly active: number;
  readonly onChoose: (suggestion: Suggestion) => void;
  readonly onForget: () => void;
}

/** The suggestions below the search box, whose input keeps the focus. */
export function SuggestionList({ id, suggestions, active, onChoose, onForget }: Properties) {
  return (
    <div
      className={
        'absolute inset-x-0 top-full z-40 mt-1.5 overflow-hidden rounded-2xl border border-line bg-surface p-1.5 ' +
        'shadow-2xl max-sm:fixed max-sm:inset-x-3 max-sm:top-15'
      }
    >
      <div id={id} role="listbox" aria-label={t`Suggestions`} className="max-h-[60dvh] overflow-y-auto">
        {suggestions.map((suggestion, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
          <div
            key={suggestion.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            // Keeps the focus in the input.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onChoose(suggestion)}
            className={
              'flex min-h-10 cursor-pointer items-center gap-3 rounded-lg px-3 py-1.5 hover:bg-raised ' +
              'aria-selected:bg-raised'
            }
          >
            <Icon name={ICONS[suggestion.kind]} className="size-4.5 shrink-0 text-muted" />
            <span dir="auto" className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">
              {suggestion.label}
              <span className="sr-only">, {KINDS[suggestion.kind]}</span>
            </span>
          </div>
        ))}
      </div>
      {suggestions[0]?.kind === 'recent' && (
        <button
          type="button"
          className="mt-1 w-full rounded-lg px-3 py-2 text-start text-sm font-semibold text-accent-text hover:underline"
          onClick={onForget}
        >{t`Clear recent searches`}</button>
      )}
    </div>
  );
}
