/** Seconds as people read them: `1:02:03`; empty when unknown. */
export function clock(seconds: number | null): string {
  if (seconds === null) return '';
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = String(rest).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

/** Address of the page where a content is watched. */
export function watchAddress(baseUrl: string, did: string): string {
  const [kind, id] = did.split('/').slice(-2);
  return `${baseUrl}/watch/${kind === 'feature' ? id : `${kind}/${id}`}`;
}
