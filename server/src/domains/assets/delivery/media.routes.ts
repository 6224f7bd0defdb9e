import type { SwitchedOff } from '../../../kernel/features.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Route } from '../../../platform/routing.ts';
import { createCaptionsFiles } from '../captions/serve-captions.ts';
import { requireStoredDownload } from '../cold/require-stored.ts';
import { streamManifests } from '../renditions/stream-manifests.ts';
import { downloadSender, isDownloadIndex } from './assembled-downloads.ts';
import { segmentCutter } from './cut-segments.ts';
import { sendEncrypted } from './encryption/send-encrypted.ts';
import { type FileGenerator, firstOf } from './generated-media.ts';
import { MediaAccess } from './media-access.ts';
import { onDemandSegments } from './on-demand-segments.ts';
import { noMedia, sendGenerated, sendObject } from './send-media.ts';
import { soundSegments } from './sound-segments.ts';

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
    streamManifests(),
    segmentCutter(),
    onDemandSegments(),
    soundSegments(),
    createCaptionsFiles(),
    ...files,
  ]);
  const sendDownload = downloadSender();
  const handle: Route['handle'] = async (request, response, { url }) => {
    // For errors; files set their own.
    response.setHeader('Cache-Control', 'no-store');
    const grant = await access.authorize(url.pathname.slice(PREFIX.length));
    if ('location' in grant) return void response.writeHead(302, { Location: grant.location }).end();
    const isForElement = request.headers['sec-fetch-dest'] === 'video';
    const generated = await make(platform, grant.objectKey, { isForElement });
    if (generated === 'missing') throw noMedia();
    if (grant.encrypted) return sendEncrypted(platform, generated, grant, request, response);
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
