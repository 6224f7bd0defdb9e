import type { PlayerState } from './player-state.ts';
import { overlapWithin, type Segment, type Span } from './ranges.ts';

interface Properties {
  readonly segments: readonly Segment[];
  readonly state: Pick<PlayerState, 'duration' | 'buffered'>;
  /** Current position in seconds. */
  readonly time: number;
  /** Position under the pointer in seconds; its segment is highlighted. */
  readonly at: number | null;
}

const percent = (part: number): string => `${part * 100}%`;

/** The track of the seek bar: one segment per chapter, with buffered and played parts. */
export function SeekTrack({ segments, state, time, at }: Properties) {
  const { duration, buffered } = state;
  return (
    <div className="relative h-full w-full">
      {segments.map((segment, index) => {
        const pointed = at !== null && segments.length > 1 && at >= segment.start && at < segment.end;
        const last = index === segments.length - 1;
        return (
          <span
            key={segment.start}
            className={
              'absolute top-1/2 -translate-y-1/2 overflow-hidden rounded-full bg-white/25 ' +
              `transition-[height] ${pointed ? 'h-2.5' : 'h-1 group-hover/seek:h-1.5'}`
            }
            style={{
              left: percent(duration > 0 ? segment.start / duration : 0),
              width:
                `calc(${percent(duration > 0 ? (segment.end - segment.start) / duration : 1)} ` +
                `- ${last ? 0 : 2}px)`,
            }}
          >
            {buffered.map((span) => (
              <Part key={span.start} part={overlapWithin(segment, span)} className="bg-white/35" />
            ))}
            <Part part={overlapWithin(segment, { start: 0, end: time })} className="bg-accent-player" />
          </span>
        );
      })}
    </div>
  );
}

function Part({ part, className }: { part: Span | null; className: string }) {
  if (part === null) return null;
  return (
    <span
      className={`absolute inset-y-0 ${className}`}
      style={{ left: percent(part.start), width: percent(part.end - part.start) }}
    />
  );
}
