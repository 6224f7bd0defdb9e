import type { ServerResponse } from 'node:http';
import type { SwitchedOff } from '../../kernel/features.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Route } from '../../platform/routing.ts';
import { onceAborted } from '../../platform/waiting/abort-callbacks.ts';
import { requireStoredDownload } from '../transcode/index.ts';
import { sendEncrypted } from './encryption/send-encrypted.ts';
import { downloadSender, isDownloadIndex } from './files/assembled-downloads.ts';
import { type FileGenerator, firstOf } from './files/generated-media.ts';
import { MediaAccess } from './files/media-access.ts';
import { noMedia, sendGenerated, sendObject } from './files/send-media.ts';
import { createCaptionsFiles } from './manifests/serve-captions.ts';
import { streamManifests } from './manifests/stream-manifests.ts';
import { segmentCutter } from './segments/cut-segments.ts';
import { onDemandSegments } from './segments/on-demand-segments.ts';
import { soundSegments } from './segments/sound-segments.ts';

const PREFIX = '/media/';

interface MediaRoutesOptions {
  /** Generators of files from higher domains. */
  readonly files?: readonly FileGenerator[];
  readonly switchedOff?: SwitchedOff;
}

/** GET and HEAD of everything below /media/: playlists, segments, images, uploaded files, and files of generators. */
export function mediaRoutes(
  platform: Pick<Platform, 'config' | 'db' | 'clock' | 'secrets' | 'store' | 'log'>,
  { files = [], switchedOff }: MediaRoutesOptions = {},
): Route[] {
  const access = new MediaAccess(platform, switchedOff);
  const make = firstOf([
    ...files,
    streamManifests(),
    segmentCutter(),
    onDemandSegments(),
    soundSegments(),
    createCaptionsFiles(),
  ]);
  const sendDownload = downloadSender();
  const handle: Route['handle'] = async (request, response, { url, closing }) => {
    // For errors; files set their own.
    response.setHeader('Cache-Control', 'no-store');
    const grant = await access.authorize(url.pathname.slice(PREFIX.length));
    if ('location' in grant) return void response.writeHead(302, { Location: grant.location }).end();
    const isForElement = request.headers['sec-fetch-dest'] === 'video';
    const whenAbandoned = (callback: () => void) => onAbandoned(response, closing, callback);
    const generated = await make(platform, grant.objectKey, { isForElement, query: url.searchParams, whenAbandoned });
    if (generated === 'missing') throw noMedia();
    const { encryptedWith } = grant;
    if (encryptedWith) {
      const tools = { store: platform.store, secrets: encryptedWith };
      return sendEncrypted(tools, generated, grant, request, response);
    }
    if (generated) sendGenerated(generated, grant, request, response);
    else if (isDownloadIndex(grant.objectKey)) {
      await requireStoredDownload(platform, grant.objectKey);
      await sendDownload(platform, grant, request, response);
    } else await sendObject(platform.store, grant, request, response);
  };
  return [
    { method: 'GET', path: '/media/*', handle },
    { method: 'HEAD', path: '/media/*', handle },
  ];
}

/** Calls back when the client has gone or the server stops, without a signal of its own for each of many requests. */
function onAbandoned(response: ServerResponse, closing: AbortSignal, callback: () => void): () => void {
  response.once('close', callback);
  const stay = onceAborted(closing, callback);
  return () => {
    response.off('close', callback);
    stay();
  };
}
