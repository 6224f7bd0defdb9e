import { AddToWatchLater, RemoveFromWatchLater } from '../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import { showToast } from '../../ui/toast.tsx';

/** Adds a content to Watch later, or removes it. */
export async function setWatchLater(id: string, on: boolean): Promise<void> {
  if (on) await api(AddToWatchLater, { id });
  else await api(RemoveFromWatchLater, { id });
}

/** The same from a menu, which says afterwards what was done, or why it was not. */
export async function saveForLater(id: string): Promise<void> {
  try {
    await setWatchLater(id, true);
    showToast({ text: t`Saved to Watch later`, undo: () => void undo(id) });
  } catch (error) {
    const reason = reasonOf(error);
    showToast({ text: t`Not saved to Watch later: ${reason}` });
  }
}

async function undo(id: string): Promise<void> {
  try {
    await setWatchLater(id, false);
    showToast({ text: t`Removed from Watch later` });
  } catch (error) {
    const reason = reasonOf(error);
    showToast({ text: t`Still in Watch later: ${reason}` });
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof ApiError ? `${error.message} ${error.suggestedFix ?? ''}`.trim() : t`something went wrong.`;
