import type { Upload as TusUpload } from 'tus-js-client';
import type { ApiError } from '../../lib/api.ts';
import { sameOriginUrl } from '../../lib/url.ts';
import { isFileUnchanged } from './file-state.ts';
import { kindOfFailure, retryDelayMs, uploadError } from './transfer-failure.ts';

export interface TransferListener {
  readonly onProgress: (sentBytes: number) => void;
  /** Bytes are sent, or are about to be. */
  readonly onSending: () => void;
  /** The connection is lost. It is tried again by itself: after a while, or when the network returns. */
  readonly onWaiting: (reason: 'offline' | 'lost') => void;
  /** The file cannot be read: it was changed, moved or deleted. */
  readonly onFileGone: () => void;
  /** The server refused it for good. */
  readonly onFailed: (error: ApiError) => void;
  readonly onSent: () => void;
}

const CHUNK_BYTES = 32 * 1024 * 1024; // limits the loss on a dropped connection, and passes common proxies
/** A connection without progress for so long is dead, also if nobody has said so. */
const SILENCE_MS = 60_000;

/**
 * Sends a file to an upload address by tus, from the offset of the server on. It continues by itself after lost
 * connections and restarts of the server, until it is stopped or refused.
 */
export class Transfer {
  readonly #file: File;
  readonly #endpoint: string;
  readonly #listener: TransferListener;
  #upload: TusUpload | null = null;
  /** Counts attempts; callbacks of earlier ones are ignored. */
  #attempt = 0;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  constructor(endpoint: string, file: File, listener: TransferListener) {
    this.#endpoint = endpoint;
    this.#file = file;
    this.#listener = listener;
    window.addEventListener('online', this.#onOnline);
    window.addEventListener('offline', this.#onOffline);
    void this.#start();
  }

  /** Ends it; what was sent stays on the server. */
  stop(): void {
    this.#isStopped = true;
    this.#abandon();
    window.removeEventListener('online', this.#onOnline);
    window.removeEventListener('offline', this.#onOffline);
  }

  readonly #onOnline = (): void => {
    this.#failures = 0;
    this.#abandon();
    void this.#start();
  };

  readonly #onOffline = (): void => {
    this.#abandon();
    this.#listener.onWaiting('offline');
  };

  #abandon(): void {
    this.#attempt += 1;
    clearTimeout(this.#timer);
    void this.#upload?.abort().catch(() => undefined);
    this.#upload = null;
  }

  async #start(): Promise<void> {
    if (!navigator.onLine) return this.#listener.onWaiting('offline');
    const attempt = this.#attempt;
    const current = (): boolean => attempt === this.#attempt && !this.#isStopped;
    const [{ Upload }, isUnchanged] = await Promise.all([import('tus-js-client'), isFileUnchanged(this.#file)]);
    if (!current()) return;
    if (!isUnchanged) return this.#loseFile();
    this.#listener.onSending();
    this.#expectProgress();
    this.#upload = new Upload(this.#file, {
      uploadUrl: sameOriginUrl(this.#endpoint),
      chunkSize: CHUNK_BYTES,
      retryDelays: null, // it does not retry while the browser is offline, and gives up
      storeFingerprintForResuming: false,
      onProgress: (sentBytes) => {
        if (!current()) return;
        this.#failures = 0;
        this.#expectProgress();
        this.#listener.onProgress(sentBytes);
      },
      onChunkComplete: () => void this.#checkFile(current),
      onSuccess: () => {
        if (!current()) return;
        this.stop();
        this.#listener.onSent();
      },
      onError: (error) => {
        if (!current()) return;
        const response = 'originalResponse' in error ? error.originalResponse : null;
        void this.#fail(response ? { status: response.getStatus(), body: response.getBody() } : null);
      },
    });
    this.#upload.start();
  }

  async #checkFile(current: () => boolean): Promise<void> {
    if (!(await isFileUnchanged(this.#file)) && current()) this.#loseFile();
  }

  #loseFile(): void {
    this.stop();
    this.#listener.onFileGone();
  }

  #expectProgress(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#fail(null), SILENCE_MS);
  }

  async #fail(response: { readonly status: number; readonly body: string } | null): Promise<void> {
    this.#abandon();
    const attempt = this.#attempt;
    const isReadable = await isFileUnchanged(this.#file);
    if (attempt !== this.#attempt || this.#isStopped) return;
    const kind = kindOfFailure(response?.status ?? null, isReadable);
    if (kind === 'retry') return this.#retryLater();
    if (kind === 'file') return this.#loseFile();
    this.stop();
    this.#listener.onFailed(uploadError(response?.body ?? null));
  }

  #retryLater(): void {
    this.#failures += 1;
    this.#listener.onWaiting(navigator.onLine ? 'lost' : 'offline');
    this.#timer = setTimeout(() => {
      this.#abandon();
      void this.#start();
    }, retryDelayMs(this.#failures));
  }
}
