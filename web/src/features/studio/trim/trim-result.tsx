import { clockTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { EditBar } from '../form/edit-bar.tsx';
import { RemovedList } from './removed-list.tsx';
import { lengthOf } from './trim-parts.ts';
import type { Trim } from './use-trim.ts';

interface Properties {
  readonly trim: Trim;
  readonly onSeek: (ms: number) => void;
}

/** The removed parts, how long the video will be or why it cannot be saved, and the bar that saves it. */
export function TrimResult({ trim, onSeek }: Properties) {
  const { removed, kept, isDirty, problem } = trim;
  const length = clockTime(lengthOf(kept) / 1000);
  return (
    <>
      <RemovedList removed={removed} onSeek={onSeek} onKeep={trim.keepPart} />
      {isDirty && (
        <p role="status" className={problem === null ? 'text-muted' : 'text-danger'}>
          {problem ?? t`The video will be ${length} long.`}
        </p>
      )}
      <EditBar busy={false} saved={false} isDirty={isDirty} onDiscard={trim.keepAll} />
    </>
  );
}
