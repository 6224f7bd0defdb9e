import { plural, t } from '../../../lib/i18n.ts';

const DAY_MS = 86_400_000;

/** How long a deleted item stays in the trash: `3 days left`. */
export function daysLeft(purgeAt: string, nowMs: number): string {
  const days = Math.ceil((Date.parse(purgeAt) - nowMs) / DAY_MS);
  if (days <= 0) return t`deletion due`;
  return plural(days, { one: '# day left', other: '# days left' });
}
