import { AddToWatchLater, RemoveFromWatchLater } from '../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../lib/api.ts';
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
    showToast({ text: 'Saved to Watch later', undo: () => void undo(id) });
  } catch (error) {
    showToast({ text: `Not saved to Watch later: ${reasonOf(error)}` });
  }
}

async function undo(id: string): Promise<void> {
  try {
    await setWatchLater(id, false);
    showToast({ text: 'Removed from Watch later' });
  } catch (error) {
    showToast({ text: `Still in Watch later: ${reasonOf(error)}` });
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof ApiError ? `${error.message} ${error.suggestedFix ?? ''}`.trim() : 'something went wrong.';
