/** Parses keywords separated by commas, of any script, or newlines, without empty ones and duplicates. */
export function readKeywords(text: string): string[] {
  const words = text.split(/[,،、，\n]/).map((word) => word.trim());
  return [...new Set(words)].filter((word) => word !== '');
}
