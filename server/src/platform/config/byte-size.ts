/** A number of bytes as operators write it: `2GiB`, `500MB`, `1073741824`. */
export const BYTE_SIZE = /\d+(?:\.\d+)?\s*(?:[KMGT]i?)?B?/;

const EXPONENTS: Readonly<Record<string, number>> = { '': 0, K: 1, M: 2, G: 3, T: 4 };

/**
 * Bytes of a text that matches BYTE_SIZE: KiB, MiB, GiB and TiB in powers of 1,024, KB to TB in powers of 1,000 (IEC
 * 80000-13).
 */
export function parseByteSize(text: string): number {
  const [, number = '', prefix = '', binary = ''] = /^(\d+(?:\.\d+)?)\s*([KMGT]?)(i?)B?$/.exec(text) ?? [];
  return Math.floor(Number(number) * (binary === '' ? 1000 : 1024) ** (EXPONENTS[prefix] ?? 0));
}
