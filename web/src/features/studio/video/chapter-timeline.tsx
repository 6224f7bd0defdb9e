import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useRef, useState } from 'react';
import { clockTime, spokenTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { StillPicture } from '../../../player/still-picture.tsx';
import { type Storyboard, useStill } from '../../../player/storyboard.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { addChapter, moveChapter, startRange } from './chapter-edits.ts';
import type { ChapterLine } from './chapter-lines.ts';

interface Properties {
  readonly chapters: readonly ChapterLine[];
  /** Seconds. */
  readonly duration: number;
  readonly storyboard: Storyboard | null;
  readonly onChange: (chapters: readonly ChapterLine[]) => void;
}

/** The chapters on a timeline: their starts are moved by pointer or keys, and added where the picture is right. */
export function ChapterTimeline({ chapters, duration, storyboard, onChange }: Properties) {
  const [time, setTime] = useState(0);
  const bar = useRef<HTMLDivElement>(null);
  const timeAt = (event: PointerEvent): number => {
    const { left, width } = bar.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    return Math.min(duration, Math.max(0, ((event.clientX - left) / width) * duration));
  };
  return (
    <div className="space-y-4">
      <div ref={bar} dir="ltr" className="relative h-12 rounded-lg bg-raised">
        {chapters.map((chapter, index) => (
          <Segment
            // biome-ignore lint/suspicious/noArrayIndexKey: chapters are told apart by their order
            key={index}
            chapter={chapter}
            end={chapters[index + 1]?.startSeconds ?? duration}
            duration={duration}
            even={index % 2 === 0}
          />
        ))}
        <div
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 w-0.5 bg-accent-text"
          style={{ left: `${(time / duration) * 100}%` }}
        />
        {chapters.map(
          (chapter, index) =>
            index > 0 && (
              <Handle
                // biome-ignore lint/suspicious/noArrayIndexKey: chapters are told apart by their order
                key={index}
                chapter={chapter}
                range={startRange(chapters, index, duration)}
                duration={duration}
                timeAt={timeAt}
                onMove={(seconds) => {
                  const moved = moveChapter(chapters, index, seconds, duration);
                  onChange(moved);
                  setTime(moved[index]?.startSeconds ?? seconds);
                }}
              />
            ),
        )}
      </div>
      <Position time={time} duration={duration} storyboard={storyboard} onChange={setTime}>
        <AddButton chapters={chapters} time={time} duration={duration} onChange={onChange} />
      </Position>
    </div>
  );
}

interface SegmentProperties {
  readonly chapter: ChapterLine;
  readonly end: number;
  readonly duration: number;
  readonly even: boolean;
}

function Segment({ chapter, end, duration, even }: SegmentProperties) {
  const { startSeconds, title } = chapter;
  return (
    <div
      className={`absolute inset-y-0 overflow-hidden px-2 py-1 text-sm ${even ? 'bg-sea/15' : 'bg-sea/5'}`}
      style={{ left: `${(startSeconds / duration) * 100}%`, width: `${((end - startSeconds) / duration) * 100}%` }}
    >
      <p className="truncate font-medium">
        <bdi>{title}</bdi>
      </p>
      <p className="truncate text-muted tabular-nums">{clockTime(startSeconds)}</p>
    </div>
  );
}

interface HandleProperties {
  readonly chapter: ChapterLine;
  readonly range: readonly [number, number];
  readonly duration: number;
  readonly timeAt: (event: PointerEvent) => number;
  readonly onMove: (seconds: number) => void;
}

/** Seconds of a key press: alone, and with Shift. */
const STEPS = [1, 10] as const;

/** The start of a chapter, which can be moved. */
function Handle({ chapter: { startSeconds, title }, range, duration, timeAt, onMove }: HandleProperties) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    onMove(startSeconds + direction * STEPS[event.shiftKey ? 1 : 0]);
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t`Start of ${title}`}
      aria-valuemin={range[0]}
      aria-valuemax={range[1]}
      aria-valuenow={startSeconds}
      aria-valuetext={spokenTime(startSeconds)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onMove(timeAt(event));
      }}
      className={
        'absolute -inset-y-1 w-6 -translate-x-1/2 cursor-ew-resize touch-none rounded ' +
        'before:absolute before:inset-y-0 before:left-2.5 before:w-1 before:rounded before:bg-fore'
      }
      style={{ left: `${(startSeconds / duration) * 100}%` }}
    />
  );
}

interface PositionProperties {
  readonly time: number;
  readonly duration: number;
  readonly storyboard: Storyboard | null;
  readonly onChange: (time: number) => void;
  readonly children: ReactNode;
}

/** Where the next chapter would start, with the picture there. */
function Position({ time, duration, storyboard, onChange, children }: PositionProperties) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-4">
      {storyboard && <Preview storyboard={storyboard} time={time} duration={duration} />}
      <div className="min-w-0 grow basis-56 space-y-2">
        <label htmlFor={id} className="block text-sm font-semibold">{t`Position`}</label>
        <input
          id={id}
          dir="ltr"
          type="range"
          min={0}
          max={duration}
          step={1}
          value={time}
          aria-valuetext={spokenTime(time)}
          onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
          className="block h-6 w-full accent-accent"
        />
        {children}
      </div>
    </div>
  );
}

function Preview({ storyboard, time, duration }: { storyboard: Storyboard; time: number; duration: number }) {
  const still = useStill(storyboard, time, duration, true);
  return still && <StillPicture still={still} className="aspect-video w-40 rounded-lg bg-black" />;
}

function AddButton({ chapters, time, duration, onChange }: Omit<Properties, 'storyboard'> & { readonly time: number }) {
  const added = addChapter(chapters, time, duration);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button disabled={!added} onClick={() => added && onChange(added)}>
        <Icon name="plus" className="size-4" /> {t`Add chapter at ${clockTime(time)}`}
      </Button>
      {!added && <p className="text-sm text-muted">{t`Chapters are at least 10 seconds apart.`}</p>}
    </div>
  );
}
