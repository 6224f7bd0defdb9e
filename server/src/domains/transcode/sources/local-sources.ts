import type { ObjectStore } from '../../../platform/storage/object-store.ts';

/** Runs its argument with a local file, which is there until that has settled. */
type Make = (use: (path: string) => Promise<void>) => Promise<void>;

interface Opened {
  readonly path: Promise<string>;
  users: number;
  readonly close: () => void;
  closing: NodeJS.Timeout | null;
}

/** How long a file is kept after its last use: the next chunk of the same video is likely to be claimed here. */
const KEPT_MS = 30_000;

/**
 * Uploaded files as local files, each opened once for all chunks that are encoded here at a time: where the object
 * store has no local files, opening one downloads it.
 */
export class LocalSources {
  readonly #store: Pick<ObjectStore, 'withLocalFile'>;
  readonly #opened = new Map<string, Opened>();

  constructor(store: Pick<ObjectStore, 'withLocalFile'>) {
    this.#store = store;
  }

  /** As `ObjectStore.withLocalFile`. */
  use<T>(key: string, work: (path: string) => Promise<T>): Promise<T> {
    return this.useMade(key, (use) => this.#store.withLocalFile(key, use), work);
  }

  /** The same with a file that `make` creates; files with the same `key` are the same. */
  async useMade<T>(key: string, make: Make, work: (path: string) => Promise<T>): Promise<T> {
    const opened = this.#opened.get(key) ?? this.#open(key, make);
    opened.users += 1;
    if (opened.closing) clearTimeout(opened.closing);
    opened.closing = null;
    try {
      return await work(await opened.path);
    } finally {
      opened.users -= 1;
      if (opened.users === 0) opened.closing = setTimeout(() => this.#close(key, opened), KEPT_MS).unref();
    }
  }

  /** Closes files that are not in use. */
  close(): void {
    for (const [key, opened] of this.#opened) {
      if (opened.closing) clearTimeout(opened.closing);
      this.#close(key, opened);
    }
  }

  #open(key: string, make: Make): Opened {
    const { promise: path, resolve, reject } = Promise.withResolvers<string>();
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const opened: Opened = { path, users: 0, close, closing: null };
    this.#opened.set(key, opened);
    make((local) => {
      resolve(local);
      return closed;
    }).catch((error: unknown) => {
      this.#forget(key, opened);
      reject(error);
    });
    return opened;
  }

  #close(key: string, opened: Opened): void {
    if (opened.users > 0) return;
    this.#forget(key, opened);
    opened.close();
  }

  #forget(key: string, opened: Opened): void {
    if (this.#opened.get(key) === opened) this.#opened.delete(key);
  }
}
