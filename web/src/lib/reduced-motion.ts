interface NetworkInformation {
  readonly saveData?: boolean;
}

/** Whether pictures may move by themselves here: neither against the wish for less motion, nor at the cost of someone who saves data. */
export function allowsMotion(): boolean {
  const matches = (query: string): boolean => matchMedia(query).matches;
  const { connection } = navigator as Navigator & { connection?: NetworkInformation }; // Chromium only
  return !matches('(prefers-reduced-motion: reduce)') && !matches('(prefers-reduced-data: reduce)') && connection?.saveData !== true;
}
