import { clockTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';

/** Pixels per second: the steps of the zoom. */
export const ZOOMS = [10, 20, 40, 80, 160, 320] as const;

interface Properties {
  /** A step of the zoom. */
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
  readonly timeMs: number;
  readonly durationMs: number;
}

/** The zoom of the timeline, and the position of the video. */
export function TimelineZoom({ zoom, onZoom, timeMs, durationMs }: Properties) {
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm text-muted">
      <Button
        look="quiet"
        className="text-sm"
        disabled={zoom === 0}
        onClick={() => onZoom(zoom - 1)}
      >{t`Zoom out`}</Button>
      <Button
        look="quiet"
        className="text-sm"
        disabled={zoom === ZOOMS.length - 1}
        onClick={() => onZoom(zoom + 1)}
      >{t`Zoom in`}</Button>
      <p dir="ltr" className="ms-auto tabular-nums">
        {clockTime(timeMs / 1000)} / {clockTime(durationMs / 1000)}
      </p>
    </div>
  );
}
