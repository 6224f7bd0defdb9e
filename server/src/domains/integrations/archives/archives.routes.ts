import type { IncomingMessage } from 'node:http';
import type { Viewer } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Route } from '../../../platform/routing.ts';
import { sourceAddress } from '../../assets/index.ts';
import { beginObject } from '../../delivery/index.ts';
import { readArchiveFile, readOriginal } from './archive-file.ts';

type Needs = Pick<Platform, 'db' | 'clock' | 'store' | 'config' | 'secrets'>;
type Person = (request: IncomingMessage) => Promise<Viewer>;

/** Where the file of an archive is. */
export const archiveAddress = (baseUrl: string, id: string): string => `${baseUrl}/account-archives/${id}/archive.zip`;

/** The files of archives, and the originals that they name: for the signed-in account that they are of. */
export function archiveRoutes(platform: Needs, person: Person): Route[] {
  const { clock, store, config, secrets } = platform;
  const found = async (request: IncomingMessage, id = '') => {
    const { accountId } = await person(request);
    const file = isUuid(id) ? await readArchiveFile(platform, id, accountId) : null;
    if (!file) throw noArchive();
    return { file, accountId };
  };
  const download: Route['handle'] = async (request, response, { params }) => {
    response.setHeader('Cache-Control', 'no-store');
    const { file } = await found(request, params.id);
    const downloadAs = `reelgraph-${file.createdAt.slice(0, 10)}.zip`;
    const grant = { objectKey: file.objectKey, contentType: null, audience: 'SIGNED', downloadAs } as const;
    const begin = (info: Parameters<typeof beginObject>[1]) =>
      beginObject({ ...grant, encryptedWith: null, sharedSeconds: 0 }, info, request, response);
    if (!(await store.send(file.objectKey, response, { conditional: true, begin }))) throw noArchive();
  };
  const original: Route['handle'] = async (request, response, { params }) => {
    const { accountId } = await found(request, params.id);
    const asset = params.asset ?? '';
    const filename = isUuid(asset) ? await readOriginal(platform, asset, accountId) : null;
    if (filename === null) throw noArchive();
    const context = { baseUrl: config.BASE_URL, secrets, nowMs: clock.now() };
    response.writeHead(302, { location: sourceAddress(context, asset, filename), 'cache-control': 'no-store' }).end();
  };
  return [
    { method: 'GET', path: '/account-archives/:id/archive.zip', handle: download },
    { method: 'HEAD', path: '/account-archives/:id/archive.zip', handle: download },
    { method: 'GET', path: '/account-archives/:id/files/:asset', handle: original },
  ];
}

function noArchive(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such file in an archive of this account.`, {
    suggestedFix: t`Request an archive in the settings of your account; files are kept for 7 days.`,
  });
}
