import { AppError } from '../../../../kernel/errors.ts';
import type { IngestionId } from '../../../../kernel/ids.ts';
import { t } from '../../../../kernel/languages/message.ts';
import { type ByteComparison, comparisonWith } from '../../../../platform/storage/checksums.ts';
import type { StoredChecksum } from '../../../../platform/storage/object-store.ts';
import { ChecksumMismatchError } from '../../../../platform/storage/receiving-store.ts';
import { deleteObject } from '../../../assets/index.ts';
import { type FinishUploadTools, failUpload, finishUpload } from '../finish-upload.ts';
import { findIngestion, type Ingestion, noteReceived } from '../ingestions.store.ts';
import { type JoinedPartial, partialsOf } from './partial-uploads.store.ts';

/**
 * Copies the parts of an upload that the caller holds into its object, one after the other, deletes each once it is
 * stored there, and finishes the upload. Continues after the last part that an earlier attempt has stored whole. Does
 * nothing for an upload that has ended. Ends it as FAILED where a part has other bytes than those that arrived.
 * @throws Error when `signal` is aborted; StorageFullError; the error that the upload ends with.
 */
export async function joinPartials(tools: FinishUploadTools, id: IngestionId, signal: AbortSignal): Promise<void> {
  const { platform, receiving } = tools;
  const { db } = platform;
  const final = await findIngestion(db, id);
  if (final?.state !== 'OPEN') return;
  const received = await receiving.receivedBytes(final.objectKey);
  let end = 0;
  for (const partial of await partialsOf(db, id)) {
    signal.throwIfAborted();
    const offset = end;
    end += partial.sizeBytes;
    if (end > received) {
      await append(tools, final, { partial, offset, signal });
      await noteReceived(db, id, end, null);
    }
    await deleteObject(platform, partial.objectKey);
  }
  await finishUpload(tools, id);
}

interface Appended {
  readonly partial: JoinedPartial;
  readonly offset: number;
  readonly signal: AbortSignal;
}

async function append(
  tools: FinishUploadTools,
  final: Ingestion,
  { partial, offset, signal }: Appended,
): Promise<void> {
  const { platform, receiving } = tools;
  const { objectKey, position, sizeBytes } = partial;
  const isThere = (await receiving.receivedBytes(objectKey)) === sizeBytes;
  if (isThere) await receiving.complete(objectKey, sizeBytes);
  const found = isThere ? await platform.store.read(objectKey) : null;
  if (!found) throw await failDamaged(tools, final, position);
  const { stream } = found;
  // An interrupted body is no error of the receiving store.
  let interruption: Error | null = null;
  stream.once('error', (error) => {
    interruption = error;
  });
  const stop = () => stream.destroy(new Error('Joining was interrupted.'));
  signal.addEventListener('abort', stop);
  try {
    if (signal.aborted) stop();
    const comparison = wholeOf(sizeBytes, await platform.store.checksum(objectKey));
    await receiving.append(final.objectKey, stream, { offset, sizeBytes: final.reservedBytes, comparison });
  } catch (error) {
    if (!(error instanceof ChecksumMismatchError)) throw error;
    if (interruption) throw interruption;
    throw await failDamaged(tools, final, position);
  } finally {
    signal.removeEventListener('abort', stop);
    stream.destroy();
  }
}

/** All bytes of a part, as they arrived. */
function wholeOf(sizeBytes: number, checksum: StoredChecksum | null): ByteComparison {
  const compared = checksum && comparisonWith(checksum);
  let length = 0;
  return {
    add(bytes) {
      length += bytes.length;
      compared?.add(bytes);
    },
    isSame: () => length === sizeBytes && (compared?.isSame() ?? true),
  };
}

/** Ends the upload, which has lost bytes; returns its error. */
async function failDamaged(tools: FinishUploadTools, final: Ingestion, number: number): Promise<AppError> {
  const damage = new AppError(
    'UPLOAD_FAILED',
    t`The bytes of part ${number} that arrived are damaged in the storage.`,
    {
      suggestedFix: t`Send the file again.`,
    },
  );
  await failUpload(tools, final, damage);
  return damage;
}
