/** Seconds as `1:02:03`; empty when unknown. */
export function clock(seconds: number | null): string {
  if (seconds === null) return '';
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = String(rest).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Bytes as `3.4 MiB`. */
export function bytes(count: number): string {
  const unit = count < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(count) / 10));
  return `${(count / 1_024 ** unit).toFixed(unit === 0 ? 0 : 1)} ${UNITS[unit]}`;
}

/** A number with thousands separators and at most one decimal: `12,345.6`. */
export function quantity(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 1 });
}

/** Address of the page of a channel. */
export function channelAddress(baseUrl: string, did: string): string {
  return `${baseUrl}/channel/${did.split('/').at(-1)}`;
}

/** What an enhancement takes, as `75 s, 3.4 MiB, 4 credits`. */
export function estimateText(estimate: {
  readonly readyInMs: number;
  readonly sizeBytes: string | number;
  readonly credits: number;
}): string {
  const { readyInMs, sizeBytes, credits } = estimate;
  return `${Math.ceil(readyInMs / 1_000)} s, ${bytes(Number(sizeBytes))}, ${credits} credit${credits === 1 ? '' : 's'}`;
}

/** An instant as `2030-01-31 18:00`, in the time zone of this machine; empty for null. */
export function moment(instant: string | null): string {
  if (instant === null) return '';
  const date = new Date(instant);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `1 episode`, `2 episodes`. */
export function count(value: number, unit: string): string {
  return `${quantity(value)} ${unit}${value === 1 ? '' : 's'}`;
}
