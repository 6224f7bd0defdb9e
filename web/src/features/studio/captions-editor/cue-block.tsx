import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react';
import { t } from '../../../lib/i18n.ts';
import { timecode } from './cue-text.ts';
import type { EditedCue } from './cues.ts';
import { stepOf } from './timeline-keys.ts';

interface Properties {
  readonly cue: EditedCue;
  /** Its place in the list, from 1. */
  readonly number: number;
  readonly isSelected: boolean;
  /** Whether it is reached with Tab; others by arrow keys. */
  readonly isFocusable: boolean;
  readonly left: number;
  readonly width: number;
  readonly msAt: (event: PointerEvent<HTMLElement>) => number;
  readonly onSelect: () => void;
  readonly onPlay: () => void;
  /** Selects the next or the previous cue. */
  readonly onStep: (by: 1 | -1) => void;
  readonly onMove: (byMs: number) => void;
  readonly onEdge: (edge: 'start' | 'end', toMs: number) => void;
  readonly onRemove: () => void;
}

/** A cue on the timeline: dragged as a whole, and by its edges while it is selected. */
export function CueBlock(properties: Properties) {
  const { cue, number, isSelected, isFocusable, left, width, msAt, onSelect, onPlay, onStep, onMove, onEdge } =
    properties;
  const element = useRef<HTMLButtonElement>(null);
  const grabbed = useRef<number | null>(null);
  useEffect(() => {
    // Arrow keys select another cue, which takes the focus that its neighbour had.
    if (isSelected && document.activeElement?.matches('[data-cue]')) element.current?.focus({ preventScroll: true });
  }, [isSelected]);
  const [start, end] = [timecode(cue.startMs), timecode(cue.endMs)];
  const onKeyDown = (event: KeyboardEvent): void => {
    const byMs = stepOf(event);
    if (byMs !== 0) onMove(byMs);
    else if (event.key === 'ArrowDown') onStep(1);
    else if (event.key === 'ArrowUp') onStep(-1);
    else if (event.key === 'Delete' || event.key === 'Backspace') properties.onRemove();
    else return;
    event.preventDefault();
  };
  return (
    <div
      className={`absolute top-0 bottom-0 ${isSelected ? 'z-20' : 'z-10'}`}
      style={{ left, width: Math.max(2, width) }}
    >
      <button
        ref={element}
        type="button"
        data-cue={cue.id}
        tabIndex={isFocusable ? 0 : -1}
        aria-pressed={isSelected}
        aria-label={
          cue.text ? t`Cue ${number}, ${start} to ${end}: ${cue.text}` : t`Cue ${number}, ${start} to ${end}: no text`
        }
        aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown Delete"
        onClick={onSelect}
        onDoubleClick={onPlay}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          onSelect();
          grabbed.current = msAt(event);
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          if (grabbed.current === null || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
          const at = msAt(event);
          if (Math.abs(at - grabbed.current) < 1) return;
          onMove(at - grabbed.current);
          grabbed.current = at;
        }}
        onPointerUp={() => {
          grabbed.current = null;
        }}
        className={
          'absolute inset-x-0 inset-y-2 cursor-grab touch-pan-y overflow-hidden rounded-md border px-2 py-1 ' +
          'text-left text-sm active:cursor-grabbing ' +
          (isSelected ? 'border-accent bg-accent/35' : 'border-sea/50 bg-sea/15 hover:bg-sea/25')
        }
      >
        <span dir="auto" className="line-clamp-3 [overflow-wrap:anywhere]">
          {cue.text}
        </span>
      </button>
      {isSelected && (
        <>
          <Edge name={t`Start of cue ${number}`} at={cue.startMs} side="start" msAt={msAt} onEdge={onEdge} />
          <Edge name={t`End of cue ${number}`} at={cue.endMs} side="end" msAt={msAt} onEdge={onEdge} />
        </>
      )}
    </div>
  );
}

interface EdgeProperties {
  readonly name: string;
  readonly at: number;
  readonly side: 'start' | 'end';
  readonly msAt: Properties['msAt'];
  readonly onEdge: Properties['onEdge'];
}

function Edge({ name, at, side, msAt, onEdge }: EdgeProperties) {
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={0}
      aria-valuenow={at}
      aria-valuetext={timecode(at)}
      onKeyDown={(event) => {
        const byMs = stepOf(event);
        if (byMs === 0) return;
        event.preventDefault();
        onEdge(side, at + byMs);
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onEdge(side, msAt(event));
      }}
      className={
        'absolute inset-y-2 w-6 cursor-ew-resize touch-none rounded before:absolute before:inset-y-3 before:w-1 ' +
        `before:rounded before:bg-fore ${side === 'start' ? '-left-3 before:left-3' : '-right-3 before:right-3'}`
      }
    />
  );
}
