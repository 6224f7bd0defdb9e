import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Route } from '../../../platform/routing.ts';
import { checkExportAddress } from './export-address.ts';
import { readExportFile } from './export-file.ts';
import { sendExport } from './send-export.ts';

/** GET and HEAD of the files of exports, at signed addresses. */
export function exportRoutes(platform: Pick<Platform, 'db' | 'clock' | 'secrets' | 'store' | 'log'>): Route[] {
  const handle: Route['handle'] = async (request, response, { params }) => {
    // For errors; the file sets its own.
    response.setHeader('Cache-Control', 'no-store');
    const { id = '', ticket = '', filename = '' } = params;
    const address = checkExportAddress(platform.secrets, id, ticket);
    if (address.kind === 'forged') throw noFile();
    if (address.untilMs <= platform.clock.now()) throw addressExpired();
    const file = await readExportFile(platform, id);
    if (!file) throw noFile();
    await sendExport(platform, { id, file, filename }, request, response);
  };
  const path = '/exports/:id/:ticket/:filename';
  return [
    { method: 'GET', path, handle },
    { method: 'HEAD', path, handle },
  ];
}

function noFile(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no export at this address, or its file was deleted.`, {
    suggestedFix: t`Read its address again: dataExport(id) { status expiresAt url }.`,
  });
}

function addressExpired(): AppError {
  return new AppError('TOKEN_EXPIRED', t`This address has expired.`, {
    suggestedFix: t`Read a new one: dataExport(id) { url }. A download continues there where it stopped.`,
  });
}
