import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useWidth } from '../../../lib/hooks/use-width.ts';
import { t } from '../../../lib/i18n.ts';
import { CueBlock } from './cue-block.tsx';
import { type EditedCue, moveCue, moveEdge } from './cues.ts';
import { TimelineZoom, ZOOMS } from './timeline-zoom.tsx';
import type { CueEditor } from './use-cues.ts';
import { type EditorVideo, useVideoTime } from './use-editor-video.ts';
import type { Waveform } from './use-waveform.ts';
import { WaveformCanvas } from './waveform-canvas.tsx';

interface Properties {
  readonly editor: CueEditor;
  readonly durationMs: number;
  readonly waveform: Waveform;
  readonly player: EditorVideo;
}

const HEIGHT = 112;

/** Cues as blocks over the waveform: moved and resized by pointer or keys. */
export function CaptionTimeline({ editor, durationMs, waveform, player }: Properties) {
  const { cues, selected } = editor;
  const [frame, width] = useWidth();
  const scroller = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(3);
  const [left, setLeft] = useState(0);
  const timeMs = useVideoTime(player.video);
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
              if (event.target === event.currentTarget) player.seek(msAt(event));
            }}
          >
            <VisibleWaveform waveform={waveform} left={left} width={width} perSecond={perSecond} />
            <CueBlocks editor={editor} shown={shown} durationMs={durationMs} x={x} msAt={msAt} onPlay={player.seek} />
            <div
              aria-hidden="true"
              className="pointer-events-none absolute inset-y-0 z-30 w-0.5 bg-accent-text"
              style={{ left: x(timeMs) }}
            />
          </div>
        </section>
      </div>
      <TimelineZoom zoom={zoom} onZoom={setZoom} timeMs={timeMs} durationMs={durationMs} />
    </div>
  );
}

interface VisibleProperties {
  readonly waveform: Waveform;
  /** How far the timeline is scrolled, in pixels. */
  readonly left: number;
  readonly width: number;
  readonly perSecond: number;
}

/** The part of the waveform that is in view, which stays in place while the timeline scrolls. */
function VisibleWaveform({ waveform: { peaks, note }, left, width, perSecond }: VisibleProperties) {
  return (
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
  );
}

interface BlocksProperties {
  readonly editor: CueEditor;
  /** The cues in view and near it. */
  readonly shown: readonly EditedCue[];
  readonly durationMs: number;
  /** The place of a time, in pixels. */
  readonly x: (ms: number) => number;
  readonly msAt: (event: PointerEvent<HTMLElement>) => number;
  readonly onPlay: (ms: number) => void;
}

function CueBlocks({ editor, shown, durationMs, x, msAt, onPlay }: BlocksProperties) {
  const { cues, selected, select } = editor;
  const change = (changed: readonly EditedCue[], kind: string): void => editor.change(() => changed, kind);
  return shown.map((cue) => (
    <CueBlock
      key={cue.id}
      cue={cue}
      number={cues.indexOf(cue) + 1}
      isSelected={cue.id === selected}
      isFocusable={cue.id === selected || (selected === null && cue === shown[0])}
      left={x(cue.startMs)}
      width={x(cue.endMs) - x(cue.startMs)}
      msAt={msAt}
      onSelect={() => select(cue.id)}
      onPlay={() => onPlay(cue.startMs)}
      onStep={(by) => {
        const next = cues[cues.indexOf(cue) + by];
        if (next) select(next.id);
      }}
      onMove={(byMs) => change(moveCue(cues, cue.id, byMs, durationMs), `move-${cue.id}`)}
      onEdge={(edge, toMs) => change(moveEdge(cues, cue.id, edge, toMs, durationMs), `${edge}-${cue.id}`)}
      onRemove={() => editor.remove(cue.id)}
    />
  ));
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
