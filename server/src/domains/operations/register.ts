import type { Platform } from '../../platform/platform.ts';
import { type OwnHealth, readServerStatus } from './overview/read-status.ts';
import type { OperationsServices } from './services.ts';

export interface OperationsDomain {
  /** `services.operations` of the engine. */
  readonly services: OperationsServices;
}

/** What operators see and change of the server as a whole. */
export function registerOperations(platform: Platform, health: OwnHealth, version: string): OperationsDomain {
  return { services: { status: () => readServerStatus(platform, health, version) } };
}
