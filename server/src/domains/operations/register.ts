import type { Platform } from '../../platform/platform.ts';
import type { Route } from '../../platform/routing.ts';
import type { AssetsDomain } from '../assets/index.ts';
import { type LegalKind, type LegalText, readLegalTexts } from './instance/legal-texts.store.ts';
import { logoRoutes } from './instance/logo.routes.ts';
import { type OwnHealth, readServerStatus } from './overview/read-status.ts';
import type { OperationsServices } from './services.ts';
import { viewStorage } from './storage/read-storage.ts';

export interface OperationsDomain {
  readonly routes: Route[];
  /** `services.operations` of the engine. */
  readonly services: OperationsServices;
  /** Terms of service or privacy policy, where this server shows it itself; null otherwise. */
  legalText(kind: LegalKind): Promise<LegalText | null>;
}

/** What operators see and change of the server as a whole. */
export function registerOperations(
  platform: Platform,
  { renderLogo }: Pick<AssetsDomain, 'renderLogo'>,
  health: OwnHealth,
  version: string,
): OperationsDomain {
  const { db, config, jobs, clock, secrets } = platform;
  return {
    routes: logoRoutes(db),
    services: {
      ...{ db, config, jobs, clock, secrets, renderLogo },
      status: () => readServerStatus(platform, health, version),
      storage: () => viewStorage(db),
    },
    legalText: async (kind) => (await readLegalTexts(db))[kind] ?? null,
  };
}
