import { memo, type RefObject, useEffect, useRef, useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { problemsOf } from './cue-problems.ts';
import { readTimecode, timecode } from './cue-text.ts';
import type { EditedCue } from './cues.ts';

export interface CueActions {
  readonly select: (id: number) => void;
  readonly play: (ms: number) => void;
  readonly change: (id: number, change: Partial<Omit<EditedCue, 'id'>>, kind: string | null) => void;
}

interface Properties {
  readonly cue: EditedCue;
  readonly next: EditedCue | undefined;
  readonly number: number;
  readonly durationMs: number;
  readonly isSelected: boolean;
  /** Whether the video is within it. */
  readonly isShown: boolean;
  readonly actions: CueActions;
}

/** A cue in the list: its times, its text, and what is wrong with it. */
export const CueRow = memo(function CueRow(properties: Properties) {
  const { cue, next, number, durationMs, isSelected, isShown, actions } = properties;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected || isShown) scrollIntoList(row);
  }, [isSelected, isShown]);
  const problems = problemsOf(cue, next, durationMs);
  const id = `cue-${cue.id}-problems`;
  return (
    <li
      ref={row}
      aria-current={isShown || undefined}
      className={`space-y-1.5 rounded-lg border-s-4 p-2 ${isSelected ? 'bg-raised' : ''} ${
        isShown ? 'border-accent' : 'border-transparent'
      }`}
    >
      <div className="flex items-center gap-1 text-sm text-muted">
        <button
          type="button"
          className="min-w-7 rounded px-1 py-0.5 text-start tabular-nums hover:text-fore"
          aria-label={t`Play from cue ${number}`}
          onClick={() => {
            actions.select(cue.id);
            actions.play(cue.startMs);
          }}
        >
          {number}
        </button>
        <TimeField
          label={t`Start of cue ${number}`}
          ms={cue.startMs}
          onChange={(startMs) => actions.change(cue.id, { startMs }, null)}
        />
        <span aria-hidden="true">–</span>
        <TimeField
          label={t`End of cue ${number}`}
          ms={cue.endMs}
          onChange={(endMs) => actions.change(cue.id, { endMs }, null)}
        />
      </div>
      <textarea
        aria-label={t`Text of cue ${number}`}
        aria-describedby={problems.length > 0 ? id : undefined}
        aria-invalid={problems.some(({ isError }) => isError) || undefined}
        data-cue-text={cue.id}
        dir="auto"
        rows={Math.max(1, cue.text.split('\n').length)}
        value={cue.text}
        onFocus={() => actions.select(cue.id)}
        onChange={(event) => actions.change(cue.id, { text: event.currentTarget.value }, `text-${cue.id}`)}
        className={
          'block w-full resize-none rounded-md border border-line bg-surface px-2 py-1.5 [field-sizing:content] ' +
          'focus:border-line-strong'
        }
      />
      {problems.length > 0 && (
        <ul id={id} className="text-sm">
          {problems.map(({ text, isError }) => (
            <li key={text} className={isError ? 'text-danger' : 'text-accent-text'}>
              {text}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
});

/** Scrolls the list only, not the page. */
function scrollIntoList(row: RefObject<HTMLLIElement | null>): void {
  const list = row.current?.parentElement;
  if (!row.current || !list) return;
  const [top, bottom] = [row.current.offsetTop, row.current.offsetTop + row.current.offsetHeight];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

interface TimeProperties {
  readonly label: string;
  readonly ms: number;
  readonly onChange: (ms: number) => void;
}

/** A time that is applied when it is left or confirmed; an unreadable one returns to what it was. */
function TimeField({ label, ms, onChange }: TimeProperties) {
  const [typed, setTyped] = useState<string | null>(null);
  const apply = (): void => {
    const read = typed === null ? null : readTimecode(typed);
    if (read !== null && read !== ms) onChange(read);
    setTyped(null);
  };
  return (
    <input
      aria-label={label}
      inputMode="decimal"
      value={typed ?? timecode(ms)}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault();
          apply();
        }
        if (event.key === 'Escape') setTyped(null);
      }}
      className={
        'w-22 rounded border border-transparent bg-transparent px-1.5 py-0.5 tabular-nums hover:border-line ' +
        'focus:border-line-strong focus:bg-surface'
      }
    />
  );
}
