import { useState } from 'react';
import {
  type BatchFragment,
  DeleteContents,
  type StudioContentFragment,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { inBatches } from '../../../lib/in-batches.ts';
import { count } from '../../../lib/numbers.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { FailureList } from '../../../ui/notice.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { BulkAudience } from './bulk-audience.tsx';
import { BulkCategories, BulkDetails } from './bulk-details.tsx';
import { BulkPlaylist } from './bulk-playlist.tsx';

interface Properties {
  readonly channelId: string;
  readonly selected: readonly StudioContentFragment[];
  readonly mayDelete: boolean;
  /** These were changed, and are not selected any more. */
  readonly onChanged: (ids: readonly string[]) => void;
  /** These could not be changed. */
  readonly onRefused: (ids: readonly string[]) => void;
  readonly onDeleted: (ids: readonly string[]) => void;
  readonly onClear: () => void;
}

const DIALOGS = [
  ['visibility', t`Visibility`],
  ['categories', t`Categories`],
  ['playlist', t`Playlist`],
  ['details', t`Details`],
  ['delete', t`Delete`],
] as const;
type DialogName = (typeof DIALOGS)[number][0];

/** What can be done with the selected videos, and which of them could not be changed. */
export function BulkBar({ channelId, selected, mayDelete, onChanged, onRefused, onDeleted, onClear }: Properties) {
  const [open, setOpen] = useState<DialogName | null>(null);
  const [failures, setFailures] = useState<readonly string[]>([]);
  const ids = selected.map(({ id }) => id);
  const total = selected.length;
  const report = (results: readonly BatchFragment[], tell: (ids: readonly string[]) => void, said?: string): void => {
    setFailures(failureLines(selected, results));
    const changed = results.filter(({ ok }) => ok).map(({ id }) => id);
    const [done, all] = [changed.length, results.length];
    showToast({ text: said && done === all ? said : t`${count(done)} of ${count(all)} changed.` });
    tell(changed);
    onRefused(results.filter(({ ok }) => !ok).map(({ id }) => id));
  };
  const dialog = {
    ids,
    onResults: (results: readonly BatchFragment[], said?: string) => report(results, onChanged, said),
    onClose: () => setOpen(null),
  };
  if (total === 0 && failures.length === 0) return null;
  return (
    <section
      aria-label={t`Selected videos`}
      className="sticky top-17 z-20 space-y-3 rounded-xl bg-raised p-3 shadow-lg"
    >
      {total > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <p role="status" className="me-auto px-1 font-semibold">
            {plural(total, { other: '# selected' })}
          </p>
          {DIALOGS.filter(([name]) => name !== 'delete' || mayDelete).map(([name, label]) => (
            <Button key={name} look="quiet" className="text-fore" onClick={() => setOpen(name)}>
              {label}
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
      {open === 'visibility' && <BulkAudience {...dialog} />}
      {open === 'categories' && <BulkCategories {...dialog} />}
      {open === 'details' && <BulkDetails {...dialog} />}
      {open === 'playlist' && <BulkPlaylist {...dialog} channelId={channelId} />}
      <Confirm
        open={open === 'delete'}
        title={plural(total, { '=1': 'Delete this video?', one: 'Delete # video?', other: 'Delete # videos?' })}
        confirmLabel={t`Delete`}
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

/** A line for each video that could not be changed: its title, why, and what to do. */
function failureLines(
  selected: readonly StudioContentFragment[],
  results: readonly BatchFragment[],
): readonly string[] {
  const titles = new Map(selected.map(({ id, metadata }) => [id, metadata.title]));
  return results.flatMap(({ id, error }) => {
    if (!error) return [];
    const title = titles.get(id) ?? id;
    const problem = [error.message, error.suggestedFix].filter(Boolean).join(' ');
    return [t`${title}: ${problem}`];
  });
}
