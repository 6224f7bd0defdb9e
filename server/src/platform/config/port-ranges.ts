/** Ports and ranges of ports, separated by commas: `20000-20009,20020`. */
export const PORT_RANGES = /^\d{1,5}(?:-\d{1,5})?(?:,\d{1,5}(?:-\d{1,5})?)*$/;

/** Each port of a text in the form of `PORT_RANGES` once, in ascending order. */
export function portsOf(text: string): number[] {
  const ranges = text.split(',').map((range) => range.split('-').map(Number));
  const ports = ranges.flatMap(([first = 0, last = first]) =>
    Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index),
  );
  return [...new Set(ports)].sort((one, other) => one - other);
}
