import { ApproveComments, HoldComments, RejectComments } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { inBatches } from '../../../lib/in-batches.ts';
import { count } from '../../../lib/numbers.ts';
import { showToast } from '../../../ui/toast.tsx';

export type Decision = 'approve' | 'reject';

interface Reviewed {
  /** Ids of the comments that were reviewed. */
  readonly done: readonly string[];
  /** Why others were not, without repetitions. */
  readonly failures: readonly string[];
}

/** Publishes or removes held comments, and offers to hold them again. Calls `onChange` after each change. */
export async function reviewComments(
  decision: Decision,
  ids: readonly string[],
  onChange: () => void,
): Promise<Reviewed> {
  const reviewed = await send(decision, ids);
  const { done } = reviewed;
  if (done.length > 0) showToast({ text: sentence(decision, done.length), undo: () => void holdAgain(done, onChange) });
  onChange();
  return reviewed;
}

async function holdAgain(ids: readonly string[], onChange: () => void): Promise<void> {
  try {
    const { failures } = await send('hold', ids);
    if (failures.length > 0) showToast({ text: failures.join(' ') });
  } catch (error) {
    showToast({ text: error instanceof Error ? error.message : t`The change was not undone.` });
  }
  onChange();
}

async function send(review: Decision | 'hold', ids: readonly string[]): Promise<Reviewed> {
  const results = await inBatches(ids, async (batch) => {
    if (review === 'approve') return (await api(ApproveComments, { ids: batch })).approveComments.results;
    if (review === 'reject') return (await api(RejectComments, { ids: batch })).rejectComments.results;
    return (await api(HoldComments, { ids: batch })).holdComments.results;
  });
  return {
    done: results.filter(({ ok }) => ok).map(({ id }) => id),
    failures: [...new Set(results.flatMap(({ error }) => (error ? [error.message] : [])))],
  };
}

function sentence(decision: Decision, comments: number): string {
  return decision === 'approve'
    ? plural(comments, { one: '# comment published.', other: '# comments published.' }, count(comments))
    : plural(comments, { one: '# comment removed.', other: '# comments removed.' }, count(comments));
}
