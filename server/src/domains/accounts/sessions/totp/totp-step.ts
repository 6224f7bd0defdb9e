import { createHmac, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
/** The library accepts one step before and one after; one more may have begun when it looks. */
const STEPS = [2, 1, 0, -1] as const;

/** The latest step of which a code is (RFC 6238 with SHA-1, 30 s, 6 digits); null when it is of none around `atMs`. */
export function totpStepOf(secret: string, code: string, atMs: number): number | null {
  const now = Math.floor(atMs / STEP_MS);
  return STEPS.map((offset) => now + offset).find((step) => isEqual(code, codeAt(secret, step))) ?? null;
}

function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

function isEqual(code: string, expected: string): boolean {
  const [given, wanted] = [Buffer.from(code), Buffer.from(expected)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
