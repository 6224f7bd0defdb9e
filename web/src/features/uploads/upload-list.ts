import { useSyncExternalStore } from 'react';
import { forgetUpload, type KeptUpload, keepFile, keepUpload } from './kept-uploads.ts';
import { isUnfinished, type UploadItem } from './upload-item.ts';
import { setUploadsPresent } from './upload-presence.ts';

/** The uploads of this tab. They live outside the pages, so that navigation does not stop them. */
let items: readonly UploadItem[] = [];
const listeners = new Set<() => void>();
/** Releases the lock of an upload, which keeps other tabs from sending it too. */
const locks = new Map<string, () => void>();

export function useUploads(): readonly UploadItem[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => items,
  );
}

export const allUploads = (): readonly UploadItem[] => items;

export function uploadById(id: string): UploadItem | null {
  return items.find((item) => item.id === id) ?? null;
}

/** The newest upload for a content; null if this tab has none. */
export function uploadFor(uploads: readonly UploadItem[], contentId: string): UploadItem | null {
  return uploads.findLast((item) => item.contentId === contentId) ?? null;
}

export function addUpload(item: UploadItem): void {
  setItems([...items, item]);
}

export function changeUpload(id: string, changes: Partial<UploadItem>): void {
  setItems(items.map((item) => (item.id === id ? { ...item, ...changes } : item)));
}

/** Changes what is found again after a reload, too. */
export async function changeKeptUpload(id: string, changes: Partial<UploadItem>): Promise<void> {
  changeUpload(id, changes);
  const item = uploadById(id);
  if (item && isToBeKept(id)) await keepUpload(keptPart(item));
}

/** Keeps its file for after a reload. Small files may be sent before they are kept. */
export async function keepFileOf(id: string, file: File, handle: FileSystemFileHandle | null): Promise<void> {
  await keepFile(id, file, handle);
  if (!isToBeKept(id)) await forgetUpload(id);
}

/** What is on the server needs nothing of this browser. */
function isToBeKept(id: string): boolean {
  const item = uploadById(id);
  return item !== null && item.phase !== 'sent';
}

export function removeUpload(id: string): void {
  setItems(items.filter((item) => item.id !== id));
  void forgetKept(id);
}

/** It is not found after a reload any more. */
export async function forgetKept(id: string): Promise<void> {
  await forgetUpload(id);
  locks.get(id)?.();
  locks.delete(id);
}

/** Keeps other tabs from sending it; false if one has it already. Pages without a secure origin have no locks. */
export function claimUpload(id: string): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  return new Promise((resolve) => {
    void navigator.locks.request(`reelgraph-upload-${id}`, { ifAvailable: true }, (granted) => {
      resolve(granted !== null);
      if (granted === null) return;
      locks.set(id, end);
      return ended;
    });
  });
}

function setItems(changed: readonly UploadItem[]): void {
  items = changed;
  setUploadsPresent(items.length > 0);
  guardLeaving();
  for (const listener of listeners) listener();
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Asks for confirmation before the tab is closed during an upload. */
function guardLeaving(): void {
  const isBusy = items.some((item) => isUnfinished(item) && item.phase !== 'paused');
  if (isBusy) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
}

function keptPart(item: UploadItem): KeptUpload {
  const { id, username, channel, filename, totalBytes, fingerprint, title, kind, replaces, enhance } = item;
  const { creationKey, contentId, endpoint, phase, sentBytes } = item;
  return {
    ...{ id, username, channel, filename, totalBytes, fingerprint, title, kind, replaces, enhance },
    ...{ creationKey, contentId, endpoint, ...(phase === 'paused' && { pausedAtBytes: sentBytes }) },
  };
}
