import type { IncomingMessage } from 'node:http';
import type { Viewer } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import type { Language } from '../../../kernel/languages/languages.ts';
import { t } from '../../../kernel/languages/message.ts';
import { PERMISSIONS } from '../../../kernel/permissions.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Route } from '../../../platform/routing.ts';
import { sendJson } from '../../../platform/send-json.ts';
import { readJson } from '../auth-requests.ts';
import { effectivePermissions } from '../keys/key-access.policy.ts';
import { requireViewer } from '../require-viewer.ts';
import { developerAccess } from '../subscriptions/developer-access.policy.ts';
import type { OauthApplications } from './oauth-applications.ts';
import { oauthIssuer } from './oauth-tokens.ts';

export interface ConnectionRoutesOptions {
  readonly platform: Pick<Platform, 'db' | 'clock' | 'config'>;
  readonly applications: OauthApplications;
  readonly sessionTokenFrom: (request: IncomingMessage) => string | null;
}

/** Connected applications of the signed-in account: details for the consent page, the list, and revoking. */
export function connectionRoutes({ platform, applications, sessionTokenFrom }: ConnectionRoutesOptions): Route[] {
  const base = `${new URL(oauthIssuer(platform.config.BASE_URL)).pathname}/oauth2`;
  const person = (request: IncomingMessage): Promise<Viewer> => {
    const token = sessionTokenFrom(request);
    return requireViewer(
      platform,
      token === null ? { kind: 'anonymous' } : { kind: 'session', token },
      'api_key:manage',
    );
  };
  return [
    {
      method: 'GET',
      path: `${base}/application`,
      handle: async (request, response, { url, language }) => {
        const viewer = await person(request);
        const application = await applications.find(url.searchParams.get('client_id') ?? '');
        if (!application) throw unknownApplication();
        sendJson(response, 200, { application, ...offerOf(viewer, platform.clock.now(), language) });
      },
    },
    {
      method: 'GET',
      path: `${base}/connections`,
      handle: async (request, response) => {
        const { accountId } = await person(request);
        sendJson(response, 200, { connections: await applications.connectionsOf(accountId) });
      },
    },
    {
      method: 'POST',
      path: `${base}/disconnect`,
      handle: async (request, response) => {
        const { accountId } = await person(request);
        const { clientId } = await readJson(request);
        if (typeof clientId !== 'string')
          throw new AppError('FIELD_REQUIRED', t`clientId is missing.`, { field: 'clientId' });
        if (!(await applications.disconnect(accountId, clientId))) throw unknownApplication();
        sendJson(response, 200, { disconnected: true });
      },
    },
  ];
}

/** The permissions an application would get: never more than the account has now. */
function offerOf(viewer: Viewer, nowMs: number, language: Language) {
  const access = developerAccess(viewer, nowMs, false);
  const permissions = effectivePermissions({ ...viewer, credential: 'oauth' }, nowMs);
  return {
    username: viewer.username,
    access: access.eligible
      ? access
      : {
          ...access,
          reason: localized(access.reason, language),
          howToBecomeEligible: localized(access.howToBecomeEligible, language),
        },
    permissions: permissions.map((name) => ({ name, allows: localized(PERMISSIONS[name].allows, language) })),
  };
}

function unknownApplication(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such application.`, {
    field: 'clientId',
    suggestedFix: t`Start again from the application; it registers again.`,
  });
}
