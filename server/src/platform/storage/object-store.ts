import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

export interface ObjectInfo {
  readonly sizeBytes: number;
  readonly contentType: string;
  /** Opaque, quoted as in the ETag header; changes when the object does. */
  readonly etag: string;
  readonly modifiedAtMs: number;
}

/** An object in a listing. */
export interface ListedObject extends Pick<ObjectInfo, 'sizeBytes' | 'modifiedAtMs'> {
  readonly key: string;
}

/** Inclusive byte positions, already checked against the size. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface PutOptions {
  readonly contentType: string;
  /** About the size of a body that is a stream; needed where it may have more than 78 GiB. */
  readonly sizeBytes?: number;
}

/** How an object is sent. */
export interface SendPlan {
  /** Whether `begin` may return anything but `whole`. */
  readonly conditional: boolean;
  /** Called once, before the first byte; returns what to send. What it throws rejects the sending. */
  begin(info: ObjectInfo): ByteRange | 'whole' | 'nothing';
}

/** What a store knows of the bytes of an object. */
export type StoredChecksum =
  /** CRC-32 (ISO 3309, as in ZIP). */
  | { readonly crc32: number }
  /** MD5 in hexadecimal digits; of an object that was sent in parts, the MD5 of the MD5s of its parts (ETag of S3). */
  | { readonly md5: string; readonly partBytes: number | null };

/**
 * Where bytes live. Keys are `/`-separated names of [A-Za-z0-9._-], without `.` or `..` as a name; adapters refuse
 * other keys with a plain Error. A put is atomic: a reader sees the old object or the new one, and after a failed put
 * the old one. Every adapter passes the suite in `object-store.contract.ts`. A full disk is AppError
 * SERVICE_UNAVAILABLE.
 */
export interface ObjectStore {
  put(key: string, body: Buffer | Readable, options: PutOptions): Promise<ObjectInfo>;
  /** Stores a local file; cheaper than put where the adapter can move it. The file may be gone afterwards. */
  putFile(key: string, path: string, options: PutOptions): Promise<ObjectInfo>;
  head(key: string): Promise<ObjectInfo | null>;
  /** Null when there is no such object. The caller consumes or destroys the stream. */
  read(key: string, range?: ByteRange): Promise<{ info: ObjectInfo; stream: Readable } | null>;
  /**
   * Writes the object, or a part of it, to `out` and ends it; false when there is no such object. For objects that
   * never change under their key: an adapter may still send one for ten seconds after another process replaced or
   * deleted it. Once bytes are on their way, a failure destroys `out`. When nothing is sent, `out` is not touched.
   */
  send(key: string, out: ServerResponse, plan: SendPlan): Promise<boolean>;
  /**
   * Calls `use` with a local path to the object's bytes, which must not be written; a temporary copy where the adapter
   * has no local file. Throws RESOURCE_NOT_FOUND when there is no such object.
   */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** Succeeds when there is no such object. */
  delete(key: string): Promise<void>;
  /** Deletes every object whose key starts with `prefix`, which ends with `/`. */
  deletePrefix(prefix: string): Promise<void>;
  /** Of the bytes of the object when they arrived, not of what is stored now; null where the store has none. */
  checksum(key: string): Promise<StoredChecksum | null>;
  /**
   * Every object whose key starts with `prefix`, which ends with `/`; those of one folder follow each other. It is read
   * page by page, in constant memory, and may be left early. Objects written or deleted meanwhile may be missing.
   */
  list(prefix: string): AsyncIterable<ListedObject>;
  /**
   * Everything in the store, read as `list` is: objects, and files that nothing here wrote, by their paths, which are
   * no keys (`isKey`).
   */
  entries(): AsyncIterable<ListedObject>;
}
