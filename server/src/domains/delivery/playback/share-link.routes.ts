import type { IncomingMessage } from 'node:http';
import { AddressLimiter } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { parseRestJson } from '../../../platform/parse-json.ts';
import type { Platform } from '../../../platform/platform.ts';
import { readBody } from '../../../platform/read-body.ts';
import type { Route } from '../../../platform/routing.ts';
import { sendJson } from '../../../platform/send-json.ts';
import { attemptsOf } from '../../accounts/index.ts';
import { PLAYBACK_RATE } from './playback.routes.ts';
import { ShareLinkAccess } from './share-link-access.ts';

const BODY = { maxBytes: 4_096, timeoutMs: 15_000 };
const MAX_TEXT = 1_000;

/** POST /api/share-links/open exchanges the token of a link, and its password, for addresses below /media/. */
export function shareLinkRoutes(platform: Pick<Platform, 'db' | 'clock' | 'secrets' | 'config'>): Route[] {
  const access = new ShareLinkAccess(platform, attemptsOf(platform));
  const addresses = new AddressLimiter({
    ...PLAYBACK_RATE,
    name: 'share-links',
    message: t`Too many links are opened from this address.`,
    suggestedFix: t`Repeat this request after the time in Retry-After.`,
  });
  return [
    {
      method: 'POST',
      path: '/api/share-links/open',
      handle: async (request, response, { clientAddress }) => {
        const left = addresses.take(clientAddress, 1, platform.clock.now());
        for (const [name, value] of Object.entries(left)) response.setHeader(name, value);
        const { token, password, pass } = await readRequest(request);
        sendJson(response, 200, await access.open({ token, password, pass, clientAddress }));
      },
    },
  ];
}

type Members = Readonly<Record<'token' | 'password' | 'pass', string | null>>;

/** Throws INVALID_INPUT for anything but a JSON object with texts. */
async function readRequest(request: IncomingMessage): Promise<Members> {
  const body = parseRestJson(await readBody(request, BODY));
  const members = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.entries(body) : null;
  if (!members) throw new AppError('INVALID_INPUT', t`The body must be a JSON object.`);
  const text = (field: string): string | null => {
    const value: unknown = members.find(([name]) => name === field)?.[1] ?? null;
    if (value === null || (typeof value === 'string' && value.length <= MAX_TEXT)) return value;
    throw new AppError('INVALID_INPUT', t`${field} must be a text of at most ${MAX_TEXT} characters.`, { field });
  };
  return { token: text('token'), password: text('password'), pass: text('pass') };
}
