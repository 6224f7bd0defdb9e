import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { WeightedCache } from '../../../platform/weighted-cache.ts';
import type { GeneratedFile } from '../../delivery/index.ts';
import {
  changingFile,
  isChanging,
  type LiveAddress,
  type LiveAnswer,
  LONGEST_WAIT_MS,
  mediaFile,
  queryOf,
} from './live-file.ts';
import { NODE_PATH, nodeAuthorization } from './node-requests.ts';

/** Parts and segments that are kept, in bytes: what the viewers of some broadcasts ask for at the same time. */
const KEPT_BYTES = 128 * 1024 ** 2;
/** All who ask for a playlist or a manifest within this time get the same. */
const PLAYLIST_MS = 100;
/** Longer than what the other process waits for. */
const LIMIT_MS = LONGEST_WAIT_MS + 2_000;

type Tools = Pick<Platform, 'clock' | 'secrets'>;

/** Files of broadcasts that other processes receive: each is loaded once, however many viewers ask for it. */
export class RemoteFiles {
  readonly #tools: Tools;
  readonly #kept = new WeightedCache<GeneratedFile>(KEPT_BYTES);
  readonly #loading = new Map<string, Promise<LiveAnswer>>();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** A file from the process at `node`. SERVICE_UNAVAILABLE where that cannot be reached. */
  file(node: string, key: string, address: LiveAddress): Promise<LiveAnswer> {
    const url = `${node}${NODE_PATH}${key}${queryOf(address)}`;
    const kept = this.#kept.get(url);
    if (kept) return Promise.resolve(kept);
    let loading = this.#loading.get(url);
    if (!loading) {
      loading = this.#load(url, address);
      this.#loading.set(url, loading);
      this.#forget(url, loading, isChanging(address) ? PLAYLIST_MS : 0);
    }
    return loading;
  }

  /** What failed is tried again by the next one. */
  #forget(url: string, loading: Promise<unknown>, afterMs: number): void {
    const forget = (): void => void this.#loading.delete(url);
    loading.then(() => (afterMs === 0 ? forget() : setTimeout(forget, afterMs).unref()), forget);
  }

  async #load(url: string, address: LiveAddress): Promise<LiveAnswer> {
    const { name } = address;
    const { secrets, clock } = this.#tools;
    const { pathname, search } = new URL(url);
    const response = await this.#ask(url, nodeAuthorization(secrets, pathname + search, clock.now()));
    if (response.status === 404) return null;
    if (response.status === 400) return 'ahead';
    if (response.status !== 200) throw unreachable(new Error(`It answered with status ${response.status}.`));
    const body = Buffer.from(await response.arrayBuffer().catch(fail));
    if (isChanging(address)) return changingFile(name, { body, etag: response.headers.get('etag') ?? '' });
    const file = mediaFile(name, body);
    this.#kept.set(url, file, body.length);
    return file;
  }

  async #ask(url: string, authorization: string): Promise<Response> {
    const signal = AbortSignal.timeout(LIMIT_MS);
    return fetch(url, { headers: { authorization }, redirect: 'error', signal }).catch(fail);
  }
}

function fail(error: unknown): never {
  throw unreachable(error);
}

/** SERVICE_UNAVAILABLE: players ask again. */
export function unreachable(cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', t`The process that receives this broadcast cannot be reached.`, {
    suggestedFix: t`Try again in a moment.`,
    retryAfterSeconds: 1,
    cause,
  });
}
