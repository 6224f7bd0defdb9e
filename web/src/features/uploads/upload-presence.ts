import { useSyncExternalStore } from 'react';

/** Whether there are uploads to show: known without loading what uploads need. */
const KEY = 'reelgraph.uploads';
const listeners = new Set<() => void>();
let present = readFlag();

function readFlag(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

export function setUploadsPresent(value: boolean): void {
  if (present === value) return;
  present = value;
  try {
    if (value) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage, the uploads of this page are shown all the same.
  }
  for (const listener of listeners) listener();
}

export function useUploadsPresent(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => present,
  );
}
