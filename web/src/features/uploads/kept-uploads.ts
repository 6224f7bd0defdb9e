/**
 * Uploads as the browser keeps them in IndexedDB, so that they are found again after a reload: what is known about
 * each, and its file where the browser can keep that.
 */

/** What is known about an upload that has not ended. */
export interface KeptUpload {
  readonly id: string;
  /** Who started it. */
  readonly username: string;
  /** DID of the channel that its content is created in; null where there is one. */
  readonly channel: string | null;
  readonly filename: string;
  readonly totalBytes: number;
  readonly fingerprint: string;
  readonly title: string;
  readonly kind: 'FEATURE' | 'SHORT';
  /** Whether it is for a content that existed before, which is then submitted for processing. */
  readonly replaces: boolean;
  /** Whether the video is enhanced once it is processed. */
  readonly enhance: boolean;
  /** Identifies the request that creates the content. */
  readonly creationKey: string;
  readonly contentId: string | null;
  readonly endpoint: string | null;
  /** How much was sent when somebody paused it; missing while it goes on. */
  readonly pausedAtBytes?: number;
}

/** A file, or what leads to it on disk, which may need the consent of the user. */
export type KeptFile = File | AskingHandle;

/** File System Access, which the types of the DOM do not have yet: https://wicg.github.io/file-system-access/ */
interface AskingHandle extends FileSystemFileHandle {
  queryPermission(descriptor: { readonly mode: 'read' }): Promise<PermissionState>;
  requestPermission(descriptor: { readonly mode: 'read' }): Promise<PermissionState>;
}

/** Larger files are not copied: writing them takes too long. */
const LARGEST_COPY_BYTES = 2 * 1000 ** 3;
const NAME = 'reelgraph-uploads';
const UPLOADS = 'uploads';
const FILES = 'files';

let opened: Promise<IDBDatabase> | null = null;

/** Some browsers have no database in private windows; then nothing is kept. */
function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(UPLOADS, { keyPath: 'id' });
      request.result.createObjectStore(FILES);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function run<Result>(
  store: string,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const db = await database();
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(store, mode);
    const request = work(transaction.objectStore(store));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

export async function keptUploads(): Promise<readonly KeptUpload[]> {
  return run<KeptUpload[]>(UPLOADS, 'readonly', (store) => store.getAll()).catch(() => []);
}

export async function keepUpload(upload: KeptUpload): Promise<void> {
  await run(UPLOADS, 'readwrite', (store) => store.put(upload)).catch(() => undefined);
}

/** Keeps a file: where it is, or else a copy, unless that is too large for this browser. */
export async function keepFile(id: string, file: File, handle: FileSystemFileHandle | null): Promise<void> {
  const kept = handle ?? ((await hasSpaceFor(file)) ? file : null);
  if (kept) await run(FILES, 'readwrite', (store) => store.put(kept, id)).catch(() => undefined);
}

async function hasSpaceFor(file: File): Promise<boolean> {
  if (file.size > LARGEST_COPY_BYTES) return false;
  const { quota = 0, usage = 0 } = (await navigator.storage?.estimate().catch(() => null)) ?? {};
  return file.size * 2 < quota - usage;
}

export async function keptFile(id: string): Promise<KeptFile | null> {
  const kept = await run<KeptFile | undefined>(FILES, 'readonly', (store) => store.get(id)).catch(() => undefined);
  return kept ?? null;
}

export async function forgetUpload(id: string): Promise<void> {
  for (const name of [UPLOADS, FILES]) {
    await run(name, 'readwrite', (store) => store.delete(id)).catch(() => undefined);
  }
}

/** Deletes files that belong to no upload: a page may end before it has deleted both. */
export async function forgetOtherFiles(ids: readonly string[]): Promise<void> {
  const keys = await run(FILES, 'readonly', (store) => store.getAllKeys()).catch(() => []);
  for (const key of keys) if (!ids.includes(String(key))) await forgetUpload(String(key));
}

/** The file; null unless it can be read without asking. */
export async function openKeptFile(kept: KeptFile): Promise<File | null> {
  if (kept instanceof File) return kept;
  if ((await kept.queryPermission({ mode: 'read' })) !== 'granted') return null;
  return kept.getFile().catch(() => null);
}

/** Asks for the consent that reading the file needs. Only in response to a click. */
export async function askForKeptFile(kept: KeptFile): Promise<File | null> {
  if (kept instanceof File) return kept;
  if ((await kept.requestPermission({ mode: 'read' })) !== 'granted') return null;
  return kept.getFile().catch(() => null);
}
