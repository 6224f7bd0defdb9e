/** Keywords as people type them, separated by commas or line ends; empty ones and repetitions left out. */
export function readKeywords(text: string): string[] {
  const words = text.split(/[,\n]/).map((word) => word.trim());
  return [...new Set(words)].filter((word) => word !== '');
}
