import { createHash } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import { type Message, type Text, t } from '../../../kernel/languages/message.ts';
import type { Executor } from '../../../platform/db/database.ts';
import type { AssetsDomain } from '../../assets/index.ts';
import { describeLogo } from './describe-settings.ts';
import { type StoredLogo, writeLogo } from './logo.store.ts';

export { readLogo } from './logo.store.ts';

/** Largest file of a logo. */
export const MAX_LOGO_BYTES = 500_000;

const FIELD = 'input.logo';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The logo of a file in base64; null for an empty one.
 * @throws AppError INVALID_INPUT for anything that is not a usable image, SERVICE_UNAVAILABLE while images cannot be
 *   decoded.
 */
export async function renderedLogo(
  { renderLogo }: Pick<AssetsDomain, 'renderLogo'>,
  base64: string,
): Promise<StoredLogo | null> {
  if (base64 === '') return null;
  if (!BASE64.test(base64))
    throw refused(t`${FIELD} is not base64.`, t`Send the bytes of the file in base64 (RFC 4648).`);
  const file = Buffer.from(base64, 'base64');
  if (file.length > MAX_LOGO_BYTES)
    throw refused(
      t`The file has ${file.length} bytes; the limit is ${MAX_LOGO_BYTES}.`,
      t`Export a smaller image: 960 by 192 pixels are enough.`,
    );
  if (isVector(file))
    throw refused(
      t`SVG is not accepted: such files can contain scripts.`,
      t`Export the image as PNG or WebP, 192 pixels high.`,
    );
  const logo = await renderLogo(file).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'TRANSCODE_FAILED') throw error;
    throw refused(error.text, error.fix, error);
  });
  return { ...logo, digest: createHash('sha256').update(logo.png).digest('hex').slice(0, 16) };
}

function isVector(file: Buffer): boolean {
  return /<svg[\s>]/i.test(file.toString('latin1', 0, 4_096));
}

function refused(message: Text, suggestedFix: Text, cause?: AppError): AppError {
  return new AppError('INVALID_INPUT', message, { field: FIELD, suggestedFix, ...(cause ? { cause } : {}) });
}

/** Stores the logo (undefined: as it is); what changed, for the audit log. */
export async function changeLogo(
  tx: Executor,
  logo: StoredLogo | null | undefined,
  nowIso: string,
): Promise<Message[]> {
  if (logo === undefined || !(await writeLogo(tx, logo, nowIso))) return [];
  return [describeLogo(logo)];
}
