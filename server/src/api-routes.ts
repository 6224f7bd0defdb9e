import { legalRoutes } from './docs/legal-pages.ts';
import { docsRoutes } from './docs/routes.ts';
import { mcpRoutes } from './mcp/routes.ts';
import type { Runner } from './media/index.ts';
import type { InstanceSettings } from './platform/instance/instance-settings.ts';
import type { MessageBus } from './platform/message-bus/message-bus.ts';
import type { Platform } from './platform/platform.ts';
import type { Route } from './platform/routing.ts';
import { feedRoutes } from './roles/feeds/feed.routes.ts';
import { platformSchema } from './schema.ts';
import type { Domains } from './wiring.ts';

interface ApiRouteTools {
  readonly platform: Platform;
  readonly domains: Domains;
  readonly instance: () => InstanceSettings;
  readonly messageBus: MessageBus;
  readonly runner: Runner;
  readonly version: string;
}

/** The routes of an API process: those of the domains, feeds, the MCP server and the documentation. */
export async function apiRoutes({ domains, instance, ...tools }: ApiRouteTools): Promise<Route[]> {
  const { platform, messageBus, runner, version } = tools;
  const { accounts, media, live, discovery, engagement, integrations, social, publishing, operations, engine } =
    domains;
  const { BASE_URL: baseUrl, DID_NAMESPACE: namespace } = platform.config;
  const agentRoutes = await mcpRoutes({
    ...{ platform, engine, messageBus, runner, version },
    credentials: accounts,
    subscriptions: integrations.sessionSubscriptions,
  });
  return [
    ...accounts.routes,
    ...media.routes,
    ...live.routes,
    ...discovery.routes,
    ...engagement.routes,
    ...integrations.routes,
    ...social.routes,
    ...publishing.routes,
    ...feedRoutes({ engine, documents: domains.trustedDocuments, namespace, baseUrl }),
    ...agentRoutes,
    ...operations.routes,
    ...legalRoutes({ instance, read: operations.legalText, baseUrl }),
    ...docsRoutes({ schema: platformSchema(), baseUrl, version, siteName: () => instance().name }),
  ];
}
