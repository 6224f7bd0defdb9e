import { type PointerEvent, type RefObject, useRef } from 'react';
import { clockTime } from '../../../lib/format.ts';
import { useWidth } from '../../../lib/hooks/use-width.ts';
import { t } from '../../../lib/i18n.ts';
import { timecode } from '../captions-editor/cue-text.ts';
import { stepOf } from '../captions-editor/timeline-keys.ts';
import { useVideoTime } from '../captions-editor/use-editor-video.ts';
import type { Peaks } from '../captions-editor/waveform.ts';
import { WaveformCanvas } from '../captions-editor/waveform-canvas.tsx';
import type { Edge, Part } from './trim-parts.ts';

interface Properties {
  readonly durationMs: number;
  /** With handles at their edges. */
  readonly parts: readonly Part[];
  /** What will not be in the result. */
  readonly removed: readonly Part[];
  /** Of what will not be in the result: taken out, or merely left out. */
  readonly tone: 'removed' | 'outside';
  /** What an edge of a part is called; parts are counted from 1. */
  readonly nameOf: (edge: Edge, number: number) => string;
  readonly peaks: Peaks | null;
  readonly note: string | null;
  readonly video: RefObject<HTMLVideoElement | null>;
  readonly onSeek: (ms: number) => void;
  readonly onEdge: (index: number, edge: Edge, toMs: number) => void;
}

const HEIGHT = 112;

/** The whole video over its waveform, with handles that pointers and arrow keys move. */
export function TrimTimeline(properties: Properties) {
  const { durationMs, parts, removed, tone, nameOf, peaks, note, video, onSeek, onEdge } = properties;
  const [frame, width] = useWidth();
  const bar = useRef<HTMLDivElement>(null);
  const timeMs = useVideoTime(video);
  const percent = (ms: number): string => `${(ms / durationMs) * 100}%`;
  const msAt = (event: PointerEvent<HTMLElement>): number => {
    const box = bar.current?.getBoundingClientRect();
    if (!box || box.width === 0) return 0;
    return Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * durationMs;
  };
  return (
    <div ref={frame} className="space-y-2">
      <section aria-label={t`Timeline`} dir="ltr">
        <div
          ref={bar}
          className="relative cursor-pointer rounded-lg bg-raised"
          style={{ height: HEIGHT }}
          onPointerDown={(event) => {
            if (event.target === event.currentTarget) onSeek(msAt(event));
          }}
        >
          <div className="pointer-events-none absolute inset-0 overflow-hidden rounded-lg">
            {peaks && width > 0 ? (
              <WaveformCanvas
                peaks={peaks}
                fromMs={0}
                pixelsPerSecond={(width / durationMs) * 1000}
                width={width}
                height={HEIGHT}
              />
            ) : (
              <p dir="auto" className="absolute bottom-2 left-3 text-sm text-muted">
                {note}
              </p>
            )}
            {removed.map(({ startMs, endMs }) => (
              <div
                key={startMs}
                className={`absolute inset-y-0 ${tone === 'removed' ? 'bg-danger/25' : 'bg-surface/75'}`}
                style={{ left: percent(startMs), width: percent(endMs - startMs) }}
              />
            ))}
          </div>
          {parts.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts are told apart by their order
            <div key={index}>
              {(['start', 'end'] as const).map((edge) => (
                <Handle
                  key={edge}
                  name={nameOf(edge, index + 1)}
                  at={edge === 'start' ? part.startMs : part.endMs}
                  left={percent(edge === 'start' ? part.startMs : part.endMs)}
                  durationMs={durationMs}
                  msAt={msAt}
                  onMove={(ms) => {
                    onEdge(index, edge, ms);
                    onSeek(ms);
                  }}
                />
              ))}
            </div>
          ))}
          <div
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 w-0.5 bg-accent-text"
            style={{ left: percent(Math.min(timeMs, durationMs)) }}
          />
        </div>
      </section>
      <p className="text-end text-sm text-muted tabular-nums">
        {clockTime(timeMs / 1000)} / {clockTime(durationMs / 1000)}
      </p>
    </div>
  );
}

interface HandleProperties {
  readonly name: string;
  readonly at: number;
  readonly left: string;
  readonly durationMs: number;
  readonly msAt: (event: PointerEvent<HTMLElement>) => number;
  readonly onMove: (ms: number) => void;
}

function Handle({ name, at, left, durationMs, msAt, onMove }: HandleProperties) {
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={Math.round(durationMs)}
      aria-valuenow={Math.round(at)}
      aria-valuetext={timecode(at)}
      onKeyDown={(event) => {
        const byMs = stepOf(event);
        const to = byMs === 0 ? { Home: 0, End: durationMs }[event.key] : at + byMs;
        if (to === undefined) return;
        event.preventDefault();
        onMove(to);
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onMove(msAt(event));
      }}
      className={
        'absolute inset-y-0 z-10 -ml-3 w-6 cursor-ew-resize touch-none rounded before:absolute before:inset-y-2 ' +
        'before:left-2.5 before:w-1 before:rounded before:bg-fore'
      }
      style={{ left }}
    />
  );
}
