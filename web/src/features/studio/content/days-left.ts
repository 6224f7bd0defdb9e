const DAY_MS = 86_400_000;

/** How long something stays in the trash, in words. */
export function daysLeft(purgeAt: string, nowMs: number): string {
  const days = Math.ceil((Date.parse(purgeAt) - nowMs) / DAY_MS);
  if (days <= 0) return 'deletion due';
  return days === 1 ? '1 day left' : `${days} days left`;
}
