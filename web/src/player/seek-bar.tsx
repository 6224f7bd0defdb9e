import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { clockTime, spokenTime } from '../lib/format.ts';
import type { PlayerState } from './player-state.ts';
import { type Chapter, chapterAt, chapterMarks, fractionAt, type Storyboard, storyboardUrl } from './ranges.ts';

interface Properties {
  readonly state: PlayerState;
  readonly storyboard: Storyboard | null;
  readonly chapters: readonly Chapter[];
  readonly onSeek: (seconds: number) => void;
}

const percent = (part: number, whole: number): string => `${whole > 0 ? Math.min(100, (part / whole) * 100) : 0}%`;

/** Position, what is buffered, and on hover the time and picture under the pointer; dragging seeks when it ends. */
export function SeekBar({ state, storyboard, chapters, onSeek }: Properties) {
  const bar = useRef<HTMLDivElement>(null);
  const [hover, setHover] = useState<number | null>(null);
  const [drag, setDrag] = useState<number | null>(null);
  const { duration, buffered } = state;
  const time = drag === null ? state.time : drag * duration;
  const fractionOf = (event: PointerEvent): number =>
    fractionAt(event.clientX, bar.current?.getBoundingClientRect() ?? { left: 0, width: 0 });
  const finish = (event: PointerEvent): void => {
    if (drag === null) return;
    setDrag(null);
    onSeek(fractionOf(event) * duration);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = { ArrowUp: 5, ArrowDown: -5, PageUp: 30, PageDown: -30 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onSeek(state.time + step);
  };
  return (
    <div
      ref={bar}
      role="slider"
      tabIndex={0}
      aria-label="Position"
      aria-valuemin={0}
      aria-valuemax={Math.floor(duration)}
      aria-valuenow={Math.floor(time)}
      aria-valuetext={[`${spokenTime(time)} of ${spokenTime(duration)}`, chapterAt(chapters, time)?.title].filter(Boolean).join(', ')}
      className="group/seek relative flex h-5 touch-none cursor-pointer items-center"
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
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
      <div className="relative h-1 w-full overflow-hidden rounded-full bg-white/25 transition-[height] group-hover/seek:h-1.5">
        {buffered.map(({ start, end }) => (
          <span
            key={start}
            className="absolute inset-y-0 bg-white/35"
            style={{ left: percent(start, duration), width: percent(end - start, duration) }}
          />
        ))}
        <span className="absolute inset-y-0 left-0 bg-[#ffb84d]" style={{ width: percent(time, duration) }} />
        {chapterMarks(chapters, duration).map((mark) => (
          <span key={mark} className="absolute inset-y-0 w-[3px] -translate-x-1/2 bg-black" style={{ left: `${mark}%` }} />
        ))}
      </div>
      <span
        className="absolute size-3.5 -translate-x-1/2 scale-0 rounded-full bg-[#ffb84d] shadow transition-transform group-hover/seek:scale-100 group-focus-visible/seek:scale-100"
        style={{ left: percent(time, duration) }}
      />
      {(drag ?? hover) !== null && duration > 0 && (
        <Preview at={drag ?? hover ?? 0} duration={duration} storyboard={storyboard} chapters={chapters} />
      )}
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
  const picture = storyboardUrl(storyboard, at * duration, duration);
  const edge = picture ? '5.2rem' : '1.8rem';
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute bottom-6 flex -translate-x-1/2 flex-col items-center gap-1"
      style={{ left: `clamp(${edge}, ${at * 100}%, calc(100% - ${edge}))` }}
    >
      {picture && (
        <img src={picture} alt="" className="max-h-28 w-40 rounded-md border border-white/30 bg-black object-contain shadow-xl" />
      )}
      <span className="rounded bg-black/80 px-1.5 py-0.5 text-xs font-semibold tabular-nums">{clockTime(at * duration)}</span>
      {chapter && <span className="max-w-40 truncate rounded bg-black/80 px-1.5 py-0.5 text-xs">{chapter.title}</span>}
    </div>
  );
}
