interface NetworkInformation {
  readonly saveData?: boolean;
}

/** Whether previews may play automatically: not with reduced motion, reduced data or data saver. */
export function allowsMotion(): boolean {
  const matches = (query: string): boolean => matchMedia(query).matches;
  const { connection } = navigator as Navigator & { connection?: NetworkInformation }; // Chromium only
  return (
    !matches('(prefers-reduced-motion: reduce)') &&
    !matches('(prefers-reduced-data: reduce)') &&
    connection?.saveData !== true
  );
}
