import { type ReactNode, useState } from 'react';
import {
  type BatchFragment,
  DeleteContents,
  type StudioContentFragment,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { Trans, t } from '../../../lib/i18n.ts';
import { inBatches } from '../../../lib/in-batches.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { FailureList } from '../../../ui/notice.tsx';
import { BulkAudience } from './bulk-audience.tsx';
import { BulkCategories, BulkDetails } from './bulk-details.tsx';
import { BulkPlaylist } from './bulk-playlist.tsx';

interface Properties {
  readonly channelId: string;
  readonly selected: readonly StudioContentFragment[];
  readonly mayDelete: boolean;
  /** These were changed, and are not selected any more. */
  readonly onChanged: (ids: readonly string[]) => void;
  readonly onDeleted: (ids: readonly string[]) => void;
  readonly onClear: () => void;
}

const DIALOGS = [t`Visibility`, t`Categories`, t`Playlist`, t`Details`, 'Delete'] as const;
type DialogName = (typeof DIALOGS)[number];

/** What can be done with the selected videos, and which of them could not be changed. */
export function BulkBar({ channelId, selected, mayDelete, onChanged, onDeleted, onClear }: Properties) {
  const [open, setOpen] = useState<DialogName | null>(null);
  const [failures, setFailures] = useState<readonly string[]>([]);
  const [done, setDone] = useState('');
  const ids = selected.map(({ id }) => id);
  const report = (results: readonly BatchFragment[], tell: (ids: readonly string[]) => void): void => {
    setFailures(failureLines(selected, results));
    const changed = results.filter(({ ok }) => ok).map(({ id }) => id);
    setDone(t`${changed.length} of ${results.length} changed.`);
    tell(changed);
  };
  const dialog = {
    ids,
    onResults: (results: readonly BatchFragment[]) => report(results, onChanged),
    onClose: () => setOpen(null),
  };
  if (selected.length === 0 && failures.length === 0) return <Spoken text={done} />;
  return (
    <section
      aria-label={t`Selected videos`}
      className="sticky top-17 z-20 space-y-3 rounded-xl bg-raised p-3 shadow-lg"
    >
      <Spoken text={done} />
      {selected.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <p role="status" className="mr-auto px-1 font-semibold">
            <Trans>{selected.length} selected</Trans>
          </p>
          {DIALOGS.filter((name) => name !== 'Delete' || mayDelete).map((name) => (
            <Button key={name} look="quiet" className="text-fore" onClick={() => setOpen(name)}>
              {name}
            </Button>
          ))}
          <Button look="quiet" onClick={onClear}>{t`Clear`}</Button>
        </div>
      )}
      {failures.length > 0 && (
        <div className="space-y-2 px-1">
          <FailureList lines={failures} />
          <Button look="quiet" onClick={() => setFailures([])}>{t`Dismiss`}</Button>
        </div>
      )}
      {open === 'Visibility' && <BulkAudience {...dialog} />}
      {open === 'Categories' && <BulkCategories {...dialog} />}
      {open === 'Details' && <BulkDetails {...dialog} />}
      {open === 'Playlist' && <BulkPlaylist {...dialog} channelId={channelId} />}
      <Confirm
        open={open === 'Delete'}
        title={t`Delete ${selected.length === 1 ? 'this video' : `${selected.length} videos`}?`}
        confirmLabel="Delete"
        onConfirm={async () => {
          const send = async (some: readonly string[]) =>
            (await api(DeleteContents, { ids: some })).deleteContents.results;
          report(await inBatches(ids, send), onDeleted);
        }}
        onClose={() => setOpen(null)}
      >
        <p>{t`They will be moved to the trash, and links to them stop working. You can restore them for 30 days.`}</p>
      </Confirm>
    </section>
  );
}

function Spoken({ text }: { text: string }): ReactNode {
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}

/** A line for each video that could not be changed: its title, why, and what to do. */
function failureLines(
  selected: readonly StudioContentFragment[],
  results: readonly BatchFragment[],
): readonly string[] {
  const titles = new Map(selected.map(({ id, metadata }) => [id, metadata.title]));
  return results.flatMap(({ id, error }) =>
    error ? [`${titles.get(id)}: ${[error.message, error.suggestedFix].filter(Boolean).join(' ')}`] : [],
  );
}
