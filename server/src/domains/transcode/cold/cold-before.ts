import type { Platform } from '../../../platform/platform.ts';

const DAY_MS = 86_400_000;

/** Videos that were last watched before this instant are cold; null where the operator keeps all sizes. */
export function coldBefore({ config, clock }: Pick<Platform, 'config' | 'clock'>): string | null {
  const days = config.COLD_RENDITIONS_AFTER;
  return days === undefined ? null : new Date(clock.now() - days * DAY_MS).toISOString();
}
