import type { LogFn } from 'pino';
import { StorageFullError } from '../kernel/errors.ts';

const WINDOW_MS = 60_000;
/** PostgreSQL's disk_full (Appendix A, class 53). */
const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', '53100']);
const LONGEST_CHAIN = 5;

interface Counted {
  repeated: number;
  write: () => void;
}

/**
 * A hook for pino: the first line about full storage with a given text is written immediately and further ones within a
 * minute are counted; after the minute the last one is written with `repeated`. A full disk fails many requests and
 * jobs, and logging each would fill it further.
 */
export function countStorageFailures(): (this: unknown, args: Parameters<LogFn>, method: LogFn, level: number) => void {
  const counting = new Map<string, Counted>();
  return function count(args, method, level) {
    const [fields, text] = args as unknown[]; // pino's overloads: fields and text, or text alone
    if (!hasStorageFullError(fields)) return method.apply(this as never, args);
    const key = `${level} ${String(text)}`;
    const known = counting.get(key);
    if (known) {
      known.repeated += 1;
      known.write = () =>
        method.apply(this as never, [{ ...(fields as object), repeated: known.repeated }, String(text)] as never);
      return;
    }
    counting.set(key, { repeated: 0, write: () => {} });
    setTimeout(() => {
      const counted = counting.get(key);
      counting.delete(key);
      if (counted && counted.repeated > 0) counted.write();
    }, WINDOW_MS).unref();
    method.apply(this as never, args);
  };
}

/** Whether the fields of a line hold an error that the storage is full, itself or as a cause. */
function hasStorageFullError(fields: unknown): boolean {
  if (!isObject(fields)) return false;
  let error: unknown = 'error' in fields ? fields.error : 'err' in fields ? fields.err : fields.data;
  for (let depth = 0; isObject(error) && depth < LONGEST_CHAIN; depth += 1) {
    if (error instanceof StorageFullError || FULL_CODES.has(String(error.code)) || saysFull(error.message)) return true;
    error = error.cause;
  }
  return false;
}

/** Errors of the job queue are plain objects with the properties of one, some with its message only. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** What strerror(3) says for ENOSPC and EDQUOT. */
function saysFull(message: unknown): boolean {
  return typeof message === 'string' && /No space left on device|Disk quota exceeded/.test(message);
}
