import type { StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { clockTime } from '../../../lib/format.ts';
import { InterruptedUpload } from '../content/interrupted-upload.tsx';
import { type ProgressFacts, progressOf } from '../content/progress-of.ts';
import { KIND_NAMES } from '../kinds/kinds.ts';
import { RowLinks } from './row-actions.tsx';

/** The second line of a row: what the video is waiting for, or its facts; with the pointer, its frequent actions. */
export function RowProgress({ mayEdit, ...facts }: ProgressFacts & { readonly mayEdit: boolean }) {
  const progress = progressOf(facts);
  const { content } = facts;
  if (progress?.kind === 'interrupted') return <InterruptedUpload content={content} {...progress} />;
  if (progress?.kind === 'failed') {
    return <p className="line-clamp-2 text-sm text-danger [overflow-wrap:anywhere]">{progress.text}</p>;
  }
  return (
    <div className="relative min-h-5.5">
      <div className="xl:group-focus-within:invisible xl:group-hover:invisible">
        {progress ? <Bar {...progress} /> : <Facts content={content} />}
      </div>
      <RowLinks content={content} mayEdit={mayEdit} />
    </div>
  );
}

function Bar({ label, percent }: { label: string; percent: number }) {
  const shown = Math.min(100, Math.max(0, Math.round(percent)));
  return (
    <div className="text-sm text-muted">
      <p className="truncate">{label}</p>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={shown}
        className="h-0.5 overflow-hidden rounded-full bg-line"
      >
        <div className="h-full bg-sea transition-[width] duration-500" style={{ width: `${shown}%` }} />
      </div>
    </div>
  );
}

function Facts({ content: { kind, metadata } }: { content: StudioContentFragment }) {
  const facts = [kind !== 'FEATURE' && KIND_NAMES[kind], metadata.duration !== null && clockTime(metadata.duration)];
  return <p className="truncate text-sm text-muted empty:hidden">{facts.filter(Boolean).join(' · ')}</p>;
}
