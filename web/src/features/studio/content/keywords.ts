/** Parses keywords separated by commas, of any script, or newlines, without empty ones and duplicates in any case. */
export function readKeywords(text: string): string[] {
  const words = text.split(/[,،、，\n]/).map((word) => word.trim());
  const found = new Map<string, string>();
  for (const word of words) if (word !== '' && !found.has(word.toLowerCase())) found.set(word.toLowerCase(), word);
  return [...found.values()];
}
