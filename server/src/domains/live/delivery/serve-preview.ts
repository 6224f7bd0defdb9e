import type { ServerResponse } from 'node:http';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Route } from '../../../platform/routing.ts';
import { MASTER_PLAYLIST } from '../../assets/index.ts';
import { LIVE_NAME } from '../broadcasts/live-names.ts';
import type { LiveBroadcasts } from '../ingest/live-broadcasts.ts';
import { wrongPosition } from '../packaging/live-position.ts';
import { LONGEST_WAIT_MS, liveFile, readLiveAddress } from './live-file.ts';
import { PREVIEW_PATH, readPreviewPath } from './preview-address.ts';
import type { RemoteFiles } from './remote-files.ts';

/** Previews of broadcasts that are not started, for whoever has their address. No cache keeps anything of them. */
export function previewRoutes(
  { secrets, clock }: Pick<Platform, 'secrets' | 'clock'>,
  broadcasts: Pick<LiveBroadcasts, 'previewOf'>,
  remote: Pick<RemoteFiles, 'file'>,
): Route[] {
  const handle: Route['handle'] = async (_, response, { url }) => {
    response.setHeader('Cache-Control', 'no-store');
    const asked = readPreviewPath(secrets, url.pathname.slice(PREVIEW_PATH.length), clock.now());
    if (!asked) throw noPreview();
    const { broadcastId, file } = asked;
    const key = previewKey(broadcastId, file);
    const address = readLiveAddress(key, url.searchParams);
    const place = address && (await broadcasts.previewOf(broadcastId));
    if (!place) throw noPreview();
    const patience = { limitMs: LONGEST_WAIT_MS, whenAbandoned: (callback: () => void) => onGone(response, callback) };
    const found = await ('preview' in place
      ? liveFile(place.preview, address, patience)
      : remote.file(place.node, key, address));
    if (found === 'ahead') throw wrongPosition(t`The playlist has not come so far.`);
    if (found === null) throw noPreview();
    const headers = { 'Content-Type': found.contentType, 'Content-Length': Buffer.byteLength(found.body) };
    response.writeHead(200, headers).end(found.body);
  };
  return [{ method: 'GET', path: `${PREVIEW_PATH}*`, handle }];
}

/** As processes name the files of previews among each other: those of a video with the id of the broadcast. */
function previewKey(broadcastId: string, file: string): string {
  return `media/${broadcastId}/${broadcastId}/${file === MASTER_PLAYLIST ? `${LIVE_NAME}/${file}` : file}`;
}

function onGone(response: ServerResponse, callback: () => void): () => void {
  response.once('close', callback);
  return () => void response.off('close', callback);
}

function noPreview(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such preview: it was started, or its encoder is gone.`, {
    suggestedFix: t`Request the address again (LiveInput.preview).`,
  });
}
