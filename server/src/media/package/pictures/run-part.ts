/**
 * Something that ffmpeg makes in a run by itself, or in one with other parts: starting it takes longer than to make the
 * pictures of a short video. Labels of its filters are unique among the parts.
 */
export interface RunPart {
  /** Arguments for each of its inputs. */
  readonly inputs: readonly (readonly string[])[];
  /** Filters and outputs; `first` is the number of its first input. */
  outputs(first: number): readonly string[];
}

/** The arguments of one run. Pure. */
export function runArgs(parts: readonly RunPart[]): string[] {
  let first = 0;
  const outputs = parts.map((part) => {
    const args = part.outputs(first);
    first += part.inputs.length;
    return args;
  });
  return [...parts.flatMap(({ inputs }) => inputs.flat()), ...outputs.flat()];
}
