import { useMemo } from 'react';
import { t } from '../../../lib/i18n.ts';
import { type CueActions, CueRow } from './cue-row.tsx';
import { changeCue, type EditedCue } from './cues.ts';
import type { CueEditor } from './use-cues.ts';

interface Properties {
  readonly editor: CueEditor;
  /** The cue that the video is within. */
  readonly shown: EditedCue | null;
  readonly durationMs: number;
  readonly onPlay: (ms: number) => void;
}

/** The cues in the order of their times. */
export function CueList({ editor, shown, durationMs, onPlay }: Properties) {
  const { cues, selected, select, change } = editor;
  // biome-ignore lint/correctness/useExhaustiveDependencies: onPlay reads a ref
  const actions = useMemo<CueActions>(
    () => ({
      select,
      play: onPlay,
      change: (id, changes, kind) => change((known) => changeCue(known, id, changes), kind),
    }),
    [select, change],
  );
  if (cues.length === 0)
    return <p className="text-muted">{t`No cues yet. Play the video, and add a cue where someone speaks.`}</p>;
  return (
    <ol aria-label={t`Cues`} className="relative max-h-96 space-y-1 overflow-y-auto">
      {cues.map((cue, index) => (
        <CueRow
          key={cue.id}
          cue={cue}
          next={cues[index + 1]}
          number={index + 1}
          durationMs={durationMs}
          isSelected={cue.id === selected}
          isShown={cue === shown}
          actions={actions}
        />
      ))}
    </ol>
  );
}
