/** Milliseconds of a key press: alone, and with Shift. */
const STEPS_MS = [100, 1_000] as const;

/** The step of an arrow key, in milliseconds; 0 for other keys. */
export function stepOf({ key, shiftKey }: { readonly key: string; readonly shiftKey: boolean }): number {
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[key] ?? 0;
  return direction * STEPS_MS[shiftKey ? 1 : 0];
}
