import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { clockTime, spokenTime } from '../lib/format.ts';
import { t } from '../lib/i18n.ts';
import type { PlayerState } from './player-state.ts';
import { type Chapter, chapterAt, fractionAt, segmentStep, segmentsOf } from './ranges.ts';
import { SeekTrack } from './seek-track.tsx';
import { StillPicture } from './still-picture.tsx';
import { type Storyboard, useStill } from './storyboard.ts';

interface Properties {
  readonly state: PlayerState;
  readonly storyboard: Storyboard | null;
  readonly chapters: readonly Chapter[];
  readonly onSeek: (seconds: number) => void;
}

const percent = (part: number, whole: number): string => `${whole > 0 ? Math.min(100, (part / whole) * 100) : 0}%`;

/**
 * The seek bar: position, buffered ranges and chapters, with a preview of the time under the pointer, or of the
 * position while keys move it. Dragging seeks on release.
 */
export function SeekBar({ state, storyboard, chapters, onSeek }: Properties) {
  const bar = useRef<HTMLDivElement>(null);
  const [hover, setHover] = useState<number | null>(null);
  const [drag, setDrag] = useState<number | null>(null);
  const [byKey, setByKey] = useState(false);
  const { duration } = state;
  const segments = segmentsOf(chapters, duration);
  const time = drag === null ? state.time : drag * duration;
  const fractionOf = (event: PointerEvent): number =>
    fractionAt(event.clientX, bar.current?.getBoundingClientRect() ?? { left: 0, width: 0 });
  const finish = (event: PointerEvent): void => {
    if (drag === null) return;
    setDrag(null);
    onSeek(fractionOf(event) * duration);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    setByKey(event.key !== 'Tab');
    const page = (by: 1 | -1): number =>
      segments.length > 1 ? segmentStep(segments, state.time, by) : state.time + by * 30;
    const steps: Record<string, () => number> = {
      ArrowUp: () => state.time + 5,
      ArrowDown: () => state.time - 5,
      PageUp: () => page(1),
      PageDown: () => page(-1),
    };
    const target = steps[event.key]?.();
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onSeek(target);
  };
  const shown = duration > 0 ? (drag ?? hover ?? (byKey ? time / duration : null)) : null;
  return (
    <div
      ref={bar}
      role="slider"
      tabIndex={0}
      aria-label={t`Position`}
      aria-valuemin={0}
      aria-valuemax={Math.floor(duration)}
      aria-valuenow={Math.floor(time)}
      aria-valuetext={[t`${spokenTime(time)} of ${spokenTime(duration)}`, chapterAt(chapters, time)?.title]
        .filter(Boolean)
        .join(', ')}
      className="group/seek relative flex h-5 touch-none cursor-pointer items-center"
      onKeyDown={onKeyDown}
      onBlur={() => setByKey(false)}
      onPointerDown={(event) => {
        setByKey(false);
        if (event.button !== 0 || duration <= 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag(fractionOf(event));
      }}
      onPointerMove={(event) => {
        setHover(fractionOf(event));
        if (drag !== null) setDrag(fractionOf(event));
      }}
      onPointerUp={finish}
      onPointerCancel={() => setDrag(null)}
      onPointerLeave={() => setHover(null)}
    >
      <SeekTrack segments={segments} state={state} time={time} at={shown === null ? null : shown * duration} />
      <span
        className={
          'absolute size-3.5 -translate-x-1/2 scale-0 rounded-full bg-accent-player shadow ' +
          'transition-transform group-hover/seek:scale-100 group-focus-visible/seek:scale-100'
        }
        style={{ left: percent(time, duration) }}
      />
      {shown !== null && <Preview at={shown} duration={duration} storyboard={storyboard} chapters={chapters} />}
    </div>
  );
}

interface PreviewProperties {
  /** From 0 to 1. */
  readonly at: number;
  readonly duration: number;
  readonly storyboard: Storyboard | null;
  readonly chapters: readonly Chapter[];
}

function Preview({ at, duration, storyboard, chapters }: PreviewProperties) {
  const chapter = chapterAt(chapters, at * duration);
  const still = useStill(storyboard, at * duration, duration, true);
  const edge = still || chapter ? '5.2rem' : '1.8rem';
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute bottom-6 flex -translate-x-1/2 flex-col items-center gap-1"
      style={{ left: `clamp(${edge}, ${at * 100}%, calc(100% - ${edge}))` }}
    >
      {still && (
        <StillPicture still={still} className="max-h-28 w-40 rounded-md border border-white/30 bg-black shadow-xl" />
      )}
      {chapter && (
        <span
          dir="auto"
          className={
            'line-clamp-2 w-max max-w-40 rounded bg-black/80 px-1.5 py-0.5 text-center text-xs ' +
            '[overflow-wrap:anywhere]'
          }
        >
          {chapter.title}
        </span>
      )}
      <span className="rounded bg-black/80 px-1.5 py-0.5 text-xs font-semibold tabular-nums">
        {clockTime(at * duration)}
      </span>
    </div>
  );
}
