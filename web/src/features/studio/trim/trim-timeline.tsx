import { type PointerEvent, useRef } from 'react';
import { clockTime } from '../../../lib/format.ts';
import { useWidth } from '../../../lib/hooks/use-width.ts';
import { t } from '../../../lib/i18n.ts';
import { timecode } from '../captions-editor/cue-text.ts';
import { stepOf } from '../captions-editor/timeline-keys.ts';
import { type EditorVideo, useVideoTime } from '../captions-editor/use-editor-video.ts';
import type { Waveform } from '../captions-editor/use-waveform.ts';
import { WaveformCanvas } from '../captions-editor/waveform-canvas.tsx';
import type { Edge } from './trim-parts.ts';
import type { Trim } from './use-trim.ts';

interface Properties {
  readonly trim: Trim;
  readonly durationMs: number;
  readonly waveform: Waveform;
  readonly player: EditorVideo;
}

const HEIGHT = 112;

/** The whole video over its waveform, with handles that pointers and arrow keys move. */
export function TrimTimeline({ trim, durationMs, waveform, player }: Properties) {
  const [frame, width] = useWidth();
  const bar = useRef<HTMLDivElement>(null);
  const timeMs = useVideoTime(player.video);
  const percent = (ms: number): string => percentOf(ms, durationMs);
  const msAt = (event: PointerEvent<HTMLElement>): number => {
    const box = bar.current?.getBoundingClientRect();
    if (!box || box.width === 0) return 0;
    return Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * durationMs;
  };
  const parts = trim.clip === null ? trim.removed : [trim.clip];
  const nameOf = trim.clip === null ? nameOfRemoved : nameOfClip;
  return (
    <div ref={frame} className="space-y-2">
      <section aria-label={t`Timeline`} dir="ltr">
        <div
          ref={bar}
          className="relative cursor-pointer rounded-lg bg-raised"
          style={{ height: HEIGHT }}
          onPointerDown={(event) => {
            if (event.target === event.currentTarget) player.seek(msAt(event));
          }}
        >
          <ShadedWaveform trim={trim} durationMs={durationMs} waveform={waveform} width={width} />
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
                    trim.moveEdge(index, edge, ms);
                    player.seek(ms);
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

/** The place of a time in the bar. */
const percentOf = (ms: number, durationMs: number): string => `${(ms / durationMs) * 100}%`;

const nameOfRemoved = (edge: Edge, number: number): string =>
  edge === 'start' ? t`Start of removed part ${number}` : t`End of removed part ${number}`;
const nameOfClip = (edge: Edge): string => (edge === 'start' ? t`Start of the clip` : t`End of the clip`);

interface ShadedProperties {
  readonly trim: Trim;
  readonly durationMs: number;
  readonly waveform: Waveform;
  readonly width: number;
}

/** The waveform, shaded where it will not be in the result: taken out, or merely left out. */
function ShadedWaveform({ trim, durationMs, waveform: { peaks, note }, width }: ShadedProperties) {
  const percent = (ms: number): string => percentOf(ms, durationMs);
  return (
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
      {trim.outside.map(({ startMs, endMs }) => (
        <div
          key={startMs}
          className={`absolute inset-y-0 ${trim.clip === null ? 'bg-danger/25' : 'bg-surface/75'}`}
          style={{ left: percent(startMs), width: percent(endMs - startMs) }}
        />
      ))}
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
