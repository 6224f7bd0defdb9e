import { AddressLimiter } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Route } from '../../../platform/routing.ts';
import { siteOf } from './allowed-sites.ts';
import { PlaybackAccess } from './playback-access.ts';
import type { Playback } from './playback-addresses.ts';

/** Requests of an address; offices and mobile networks share addresses. */
export const PLAYBACK_RATE = { capacity: 600, refillPerSecond: 20 } as const;

type Handle = Route['handle'];

/**
 * Playback with tokens that sites sign: `?token=` is exchanged once for addresses below /media/, which carry the
 * permission in their path, so that players need no token for segments.
 */
export function playbackRoutes(platform: Pick<Platform, 'db' | 'clock' | 'secrets' | 'config'>): Route[] {
  const access = new PlaybackAccess(platform);
  const addresses = new AddressLimiter({
    ...PLAYBACK_RATE,
    name: 'playback',
    message: t`Too many players start from this address.`,
    suggestedFix: t`Repeat this request after the time in Retry-After.`,
  });
  const respond =
    (send: (playback: Playback, ...exchange: Parameters<Handle>) => void): Handle =>
    async (request, response, context) => {
      response.setHeader('Cache-Control', 'no-store');
      const left = addresses.take(context.clientAddress, 1, platform.clock.now());
      for (const [name, value] of Object.entries(left)) response.setHeader(name, value);
      const { searchParams } = context.url;
      const contentId = context.params.content?.toLowerCase() ?? '';
      if (!isUuid(contentId)) throw noContent();
      const site = siteOf(request, platform.config.BASE_URL, searchParams.get('site'));
      const playback = await access.authorize({ contentId, token: searchParams.get('token'), site });
      response.setHeader('Cache-Control', 'no-store');
      send(playback, request, response, context);
    };
  const redirect = (address: string | null, response: Parameters<Handle>[1]) => {
    if (address === null) throw noManifest();
    response.writeHead(302, { Location: address }).end();
  };
  const path = '/playback/:content';
  return [
    {
      method: 'GET',
      path,
      handle: respond((playback, request, response) => {
        const body = JSON.stringify(playback);
        response.writeHead(200, {
          'Content-Type': 'application/json; charset=utf-8',
          'Content-Length': Buffer.byteLength(body),
        });
        response.end(request.method === 'HEAD' ? undefined : body);
      }),
    },
    { method: 'GET', path: `${path}/master.m3u8`, handle: respond(({ hls }, _, response) => redirect(hls, response)) },
    {
      method: 'GET',
      path: `${path}/manifest.mpd`,
      handle: respond(({ dash }, _, response) => redirect(dash, response)),
    },
  ];
}

function noContent(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`This is not the address of a content.`, {
    suggestedFix: t`Use /playback/ and the last 36 characters of the id of the content.`,
  });
}

function noManifest(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`This video has no DASH manifest.`, {
    suggestedFix: t`Play master.m3u8, or process the video again.`,
  });
}
