import { useState } from 'react';
import {
  type BatchFragment,
  DeleteContents,
  PublishContents,
  type StudioContentFragment,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { inBatches } from '../../../lib/in-batches.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { ErrorNotice, FailureList } from '../../../ui/notice.tsx';

interface Properties {
  readonly selected: readonly StudioContentFragment[];
  readonly mayDelete: boolean;
  readonly onPublished: (ids: readonly string[]) => void;
  readonly onDeleted: (ids: readonly string[]) => void;
  readonly onClear: () => void;
}

/** Bulk actions on selected videos, and their failures. */
export function BulkActions({ selected, mayDelete, onPublished, onDeleted, onClear }: Properties) {
  const [confirming, setConfirming] = useState(false);
  const [report, setReport] = useState<readonly string[]>([]);
  const action = useAction();
  const ids = selected.map(({ id }) => id);
  const reportFailures = (results: readonly BatchFragment[]): readonly string[] => {
    const titles = new Map(selected.map(({ id, metadata }) => [id, metadata.title]));
    setReport(
      results.flatMap(({ id, error }) => (error ? [`${titles.get(id)}: ${error.message} ${error.suggestedFix}`] : [])),
    );
    return results.filter(({ ok }) => ok).map(({ id }) => id);
  };
  const publish = async (): Promise<void> => {
    const send = async (some: readonly string[]) => (await api(PublishContents, { ids: some })).publishContents.results;
    onPublished(reportFailures(await inBatches(ids, send)));
  };
  const remove = async (): Promise<void> => {
    const send = async (some: readonly string[]) => (await api(DeleteContents, { ids: some })).deleteContents.results;
    onDeleted(reportFailures(await inBatches(ids, send)));
  };
  if (selected.length === 0 && report.length === 0) return null;
  return (
    <section aria-label="Selected videos" className="sticky top-17 z-20 space-y-3 rounded-2xl bg-raised p-3 shadow-lg">
      {selected.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <p role="status" className="mr-auto font-semibold">
            {selected.length} selected
          </p>
          <Button look="primary" busy={action.busy === 'publish'} onClick={() => action.run('publish', publish)}>
            Publish selected
          </Button>
          {mayDelete && <Button onClick={() => setConfirming(true)}>Delete selected</Button>}
          <Button look="quiet" onClick={onClear}>
            Clear
          </Button>
        </div>
      )}
      {action.error !== null && <ErrorNotice error={action.error} />}
      {report.length > 0 && (
        <div className="space-y-2">
          <FailureList lines={report} />
          <Button look="quiet" onClick={() => setReport([])}>
            Dismiss
          </Button>
        </div>
      )}
      <Confirm
        open={confirming}
        title={`Delete ${selected.length === 1 ? 'this video' : `${selected.length} videos`}?`}
        confirmLabel="Delete"
        onConfirm={remove}
        onClose={() => setConfirming(false)}
      >
        <p>They will be moved to the trash, and links to them stop working. You can restore them for 30 days.</p>
      </Confirm>
    </section>
  );
}
