import { createHash } from 'node:crypto';
import { AppError } from '../../../../kernel/errors.ts';
import { t } from '../../../../kernel/languages/message.ts';
import { type ByteComparison, comparisonWith } from '../../../../platform/storage/checksums.ts';

/** Of tus 1.0.0, "Checksum", with the bytes of their digests. */
const DIGEST_BYTES = { sha1: 20, sha256: 32, crc32: 4 } as const;
type Algorithm = keyof typeof DIGEST_BYTES;

export const CHECKSUM_ALGORITHMS = Object.keys(DIGEST_BYTES).join(',');
const HEADER = 'Upload-Checksum';

/** No bytes have a digest of another length. */
const NEVER_SAME: ByteComparison = { add: () => {}, isSame: () => false };

/**
 * What the bytes of a body have to be by its header Upload-Checksum: the name of an algorithm, and the digest in
 * base64. Null without.
 * @throws AppError INVALID_INPUT for another algorithm, and for what is not base64.
 */
export function readUploadChecksum(header: string | readonly string[] | undefined): ByteComparison | null {
  if (header === undefined) return null;
  const [, name = '', base64 = ''] = /^(\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(String(header).trim()) ?? [];
  const digest = Buffer.from(base64, 'base64');
  if (!isAlgorithm(name))
    throw new AppError('INVALID_INPUT', t`${HEADER} has no digest of a known algorithm.`, {
      field: HEADER,
      suggestedFix: t`Send the name of an algorithm (${CHECKSUM_ALGORITHMS}), a space and the digest of the body in
        base64, or leave the header out.`,
    });
  if (digest.length !== DIGEST_BYTES[name]) return NEVER_SAME;
  // With its highest byte first.
  if (name === 'crc32') return comparisonWith({ crc32: digest.readUInt32BE() });
  const hash = createHash(name);
  return { add: (bytes) => void hash.update(bytes), isSame: () => hash.digest().equals(digest) };
}

function isAlgorithm(name: string): name is Algorithm {
  return Object.hasOwn(DIGEST_BYTES, name);
}

/** The error for a body with another digest: tus 1.0.0 has the status 460 for it. */
export function checksumMismatch(): AppError {
  return new AppError('UPLOAD_FAILED', t`The bytes that arrived do not have the checksum in ${HEADER}.`, {
    field: HEADER,
    suggestedFix: t`Nothing of this request was kept: send the same bytes again from the same offset.`,
    httpStatus: 460,
  });
}
