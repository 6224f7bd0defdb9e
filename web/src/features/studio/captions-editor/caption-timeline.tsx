import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { clockTime } from '../../../lib/format.ts';
import { useWidth } from '../../../lib/hooks/use-width.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { CueBlock } from './cue-block.tsx';
import { type EditedCue, moveCue, moveEdge } from './cues.ts';
import { useVideoTime } from './use-editor-video.ts';
import type { Peaks } from './waveform.ts';
import { WaveformCanvas } from './waveform-canvas.tsx';

interface Properties {
  readonly cues: readonly EditedCue[];
  readonly durationMs: number;
  readonly selected: number | null;
  readonly peaks: Peaks | null;
  readonly note: string | null;
  readonly video: RefObject<HTMLVideoElement | null>;
  readonly onSelect: (id: number) => void;
  readonly onSeek: (ms: number) => void;
  readonly onChange: (cues: readonly EditedCue[], kind: string | null) => void;
  readonly onRemove: (id: number) => void;
}

const HEIGHT = 112;
/** Pixels per second: the steps of the zoom. */
const ZOOMS = [10, 20, 40, 80, 160, 320] as const;

/** Cues as blocks over the waveform: moved and resized by pointer or keys. */
export function CaptionTimeline(properties: Properties) {
  const { cues, durationMs, selected, peaks, note, video, onSelect, onSeek, onChange, onRemove } = properties;
  const [frame, width] = useWidth();
  const scroller = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(3);
  const [left, setLeft] = useState(0);
  const timeMs = useVideoTime(video);
  const perSecond = ZOOMS[zoom] ?? 80;
  const total = (durationMs / 1000) * perSecond;
  const x = (ms: number): number => (ms / 1000) * perSecond;
  useFollow(scroller, x(timeMs), width);
  const chosen = cues.find(({ id }) => id === selected);
  useFollow(scroller, x(chosen?.startMs ?? timeMs), width);
  const msAt = (event: PointerEvent<HTMLElement>): number => {
    const box = scroller.current?.getBoundingClientRect();
    return ((event.clientX - (box?.left ?? 0) + (scroller.current?.scrollLeft ?? 0)) / perSecond) * 1000;
  };
  const shown = cues.filter(({ startMs, endMs }) => x(endMs) > left - width && x(startMs) < left + 2 * width);
  return (
    <div className="space-y-2">
      <div ref={frame}>
        <section
          ref={scroller}
          dir="ltr"
          aria-label={t`Timeline`}
          onScroll={(event) => setLeft(event.currentTarget.scrollLeft)}
          className="relative overflow-x-auto overflow-y-hidden rounded-lg bg-raised"
          style={{ height: HEIGHT + 24 }}
        >
          <div
            className="relative"
            style={{ width: Math.max(total, width), height: HEIGHT }}
            onPointerDown={(event) => {
              if (event.target === event.currentTarget) onSeek(msAt(event));
            }}
          >
            <div className="pointer-events-none sticky left-0" style={{ width, height: HEIGHT }}>
              {peaks ? (
                <WaveformCanvas
                  peaks={peaks}
                  fromMs={(left / perSecond) * 1000}
                  pixelsPerSecond={perSecond}
                  width={width}
                  height={HEIGHT}
                />
              ) : (
                <p className="absolute bottom-2 left-3 text-sm text-muted">{note}</p>
              )}
            </div>
            {shown.map((cue) => (
              <CueBlock
                key={cue.id}
                cue={cue}
                number={cues.indexOf(cue) + 1}
                isSelected={cue.id === selected}
                isFocusable={cue.id === selected || (selected === null && cue === shown[0])}
                left={x(cue.startMs)}
                width={x(cue.endMs) - x(cue.startMs)}
                msAt={msAt}
                onSelect={() => onSelect(cue.id)}
                onPlay={() => onSeek(cue.startMs)}
                onStep={(by) => {
                  const next = cues[cues.indexOf(cue) + by];
                  if (next) onSelect(next.id);
                }}
                onMove={(byMs) => onChange(moveCue(cues, cue.id, byMs, durationMs), `move-${cue.id}`)}
                onEdge={(edge, toMs) => onChange(moveEdge(cues, cue.id, edge, toMs, durationMs), `${edge}-${cue.id}`)}
                onRemove={() => onRemove(cue.id)}
              />
            ))}
            <div
              aria-hidden="true"
              className="pointer-events-none absolute inset-y-0 z-30 w-0.5 bg-accent-text"
              style={{ left: x(timeMs) }}
            />
          </div>
        </section>
      </div>
      <div className="flex flex-wrap items-center gap-2 text-sm text-muted">
        <Button
          look="quiet"
          className="text-sm"
          disabled={zoom === 0}
          onClick={() => setZoom(zoom - 1)}
        >{t`Zoom out`}</Button>
        <Button
          look="quiet"
          className="text-sm"
          disabled={zoom === ZOOMS.length - 1}
          onClick={() => setZoom(zoom + 1)}
        >{t`Zoom in`}</Button>
        <p dir="ltr" className="ms-auto tabular-nums">
          {clockTime(timeMs / 1000)} / {clockTime(durationMs / 1000)}
        </p>
      </div>
    </div>
  );
}

/** Keeps a position in view when it changes. */
function useFollow(scroller: RefObject<HTMLDivElement | null>, position: number, width: number): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element || width === 0) return;
    const { scrollLeft } = element;
    if (position < scrollLeft || position > scrollLeft + width - 24)
      element.scrollLeft = Math.max(0, position - width / 4);
  }, [scroller, position, width]);
}
