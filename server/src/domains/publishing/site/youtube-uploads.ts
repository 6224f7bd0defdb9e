import type { Readable } from 'node:stream';
import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { ExchangeResponse, GuardedExchange } from '../../../platform/fetch/guarded-exchange.ts';
import { reasonOf, siteError } from './site-errors.ts';
import type { OutgoingVideo, SiteUploads, UploadSession } from './site-uploads.ts';
import { siteProcessingOf, siteVideoState } from './site-video-state.ts';
import { byteAfter, contentRange, type UploadPart, type UploadStep } from './upload-steps.ts';
import { notUnderstood, readResponse } from './youtube-responses.ts';
import { require2xx, withAccess, type YouTubeTools } from './youtube-site.ts';

const TIMEOUT_MS = 60_000;
/** Time for a part at about 40 kbit/s. */
const PART_TIMEOUT_MS = 30 * 60_000;

const uploaded = z.object({ id: z.string().regex(/^[A-Za-z0-9_-]{11}$/) });
const listed = z.object({ items: z.array(siteVideoState).max(1) });

/**
 * Uploads videos through the YouTube Data API v3. A project may start 100 uploads a day unless Google grants more; each
 * status check costs a unit of its quota.
 */
export function youTubeUploads(tools: YouTubeTools): SiteUploads {
  const { addresses, clock } = tools;
  const step = (response: ExchangeResponse, sizeBytes: number) => stepOf(response, sizeBytes, clock.now());
  return {
    async begin(access, video, signal) {
      const headers = {
        'content-type': 'application/json; charset=UTF-8',
        'x-upload-content-length': String(video.sizeBytes),
        'x-upload-content-type': video.contentType,
      };
      const url = `${addresses.upload}/videos?uploadType=resumable&part=snippet,status`;
      const request = {
        method: 'POST',
        url,
        headers,
        body: JSON.stringify(resourceOf(video)),
        ...timed(TIMEOUT_MS, signal),
      } as const;
      const response = await withAccess(tools, access)(request);
      if (response.status !== 200) throw uploadError(response, clock.now());
      return { url: sessionUrl(response.headers['location'], addresses.upload), sizeBytes: video.sizeBytes };
    },
    async offset(access, { url, sizeBytes }, signal) {
      const headers = { 'content-length': '0', 'content-range': contentRange(sizeBytes) };
      return step(
        await withAccess(tools, access)({ method: 'PUT', url, headers, ...timed(TIMEOUT_MS, signal) }),
        sizeBytes,
      );
    },
    async send(access, session, part, open, signal) {
      const send = async (token: string): Promise<ExchangeResponse> =>
        sendPart(tools.exchange, token, session, part, await open(), signal);
      const token = await access.token();
      const response = await send(token);
      return step(response.status === 401 ? await send(await access.token(token)) : response, session.sizeBytes);
    },
    async processing(access, videoId, signal) {
      const url = `${addresses.api}/videos?${new URLSearchParams({ part: 'status,processingDetails', id: videoId })}`;
      const response = await withAccess(
        tools,
        access,
      )({ method: 'GET', url, headers: {}, ...timed(TIMEOUT_MS, signal) });
      return siteProcessingOf(readResponse(listed, require2xx(tools, response).text).items[0] ?? null);
    },
  };
}

function timed(timeoutMs: number, signal: AbortSignal | undefined): { timeoutMs: number; signal?: AbortSignal } {
  return { timeoutMs, ...(signal && { signal }) };
}

async function sendPart(
  exchange: GuardedExchange,
  token: string,
  { url, sizeBytes }: UploadSession,
  part: UploadPart,
  body: Readable,
  signal: AbortSignal | undefined,
): Promise<ExchangeResponse> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-length': String(part.end - part.start + 1),
    'content-range': contentRange(sizeBytes, part),
  };
  try {
    return await exchange({ method: 'PUT', url, headers, body, ...timed(PART_TIMEOUT_MS, signal) });
  } finally {
    // A site that responds early leaves the rest in the stream.
    body.on('error', () => {}).destroy();
  }
}

/** A video resource of the API. */
function resourceOf({ title, description, tags, privacyStatus }: OutgoingVideo): object {
  return { snippet: { title, description, tags }, status: { privacyStatus: privacyStatus.toLowerCase() } };
}

/** The token is sent to this address, so it must be on the API's host. */
function sessionUrl(location: string | undefined, upload: string): string {
  const url = location === undefined ? null : URL.parse(location);
  const trusted =
    url !== null &&
    (url.origin === new URL(upload).origin || (url.protocol === 'https:' && url.hostname.endsWith('.googleapis.com')));
  if (!trusted) throw notUnderstood();
  return url.href;
}

/** 308 is "Resume Incomplete" here, not a redirect. */
function stepOf(response: ExchangeResponse, sizeBytes: number, nowMs: number): UploadStep {
  if (response.status === 200 || response.status === 201)
    return { kind: 'done', videoId: readResponse(uploaded, response.text).id };
  if (response.status === 404 || response.status === 410) return { kind: 'gone' };
  if (response.status !== 308) throw uploadError(response, nowMs);
  const nextByte = byteAfter(response.headers['range'] ?? null, sizeBytes);
  if (nextByte === null) throw notUnderstood();
  return { kind: 'more', nextByte };
}

/** Maps the refusal of a file: a bad request is caused by the video. */
function uploadError(response: ExchangeResponse, nowMs: number): AppError {
  const reason = reasonOf(response);
  if (reason === 'youtubeSignupRequired') {
    return new AppError('UNAUTHORIZED', t`The Google account has no channel on YouTube.`, {
      suggestedFix: t`Make a channel on YouTube, then connect YouTube again on the settings page.`,
    });
  }
  const error = siteError(response, nowMs);
  if (error.code !== 'SERVICE_UNAVAILABLE' || response.status >= 500) return error;
  return new AppError('UPLOAD_FAILED', t`YouTube did not take the video.`, {
    suggestedFix: t`Check its title, summary and keywords, then publish it again.`,
    cause: error.cause,
  });
}
