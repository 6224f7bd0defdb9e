import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { timecode } from '../captions-editor/cue-text.ts';
import type { Part } from './trim-parts.ts';

interface Properties {
  readonly removed: readonly Part[];
  readonly onSeek: (ms: number) => void;
  readonly onKeep: (index: number) => void;
}

/** The parts that are removed. */
export function RemovedList({ removed, onSeek, onKeep }: Properties) {
  if (removed.length === 0) return null;
  return (
    <ol aria-label={t`Removed parts`} className="divide-y divide-line">
      {removed.map(({ startMs, endMs }, index) => {
        const times = `${timecode(startMs)} – ${timecode(endMs)}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are told apart by their order
          <li key={index} className="flex flex-wrap items-center gap-2 py-2">
            <button
              type="button"
              className="rounded px-1 font-mono text-sm tabular-nums hover:bg-raised"
              onClick={() => onSeek(startMs)}
            >
              {times}
            </button>
            <Button
              look="quiet"
              className="ms-auto text-sm"
              aria-label={t`Keep ${times}`}
              onClick={() => onKeep(index)}
            >
              {t`Keep`}
            </Button>
          </li>
        );
      })}
    </ol>
  );
}
