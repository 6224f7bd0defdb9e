import type { Runner } from '../../runner.ts';

/** A fault of the encoding: filters before the encoder of a rendition of the picture, or of the track of sound. */
export interface PlantedFault {
  /** Number of the rendition, from the largest; `sound` for that of tracks. */
  readonly of: number | 'sound';
  readonly filters: string;
}

/** A runner whose encodings have a fault, the first `times` ones; what they are compared with has not. */
export function faultyRunner(runner: Runner, fault: PlantedFault, times = Number.POSITIVE_INFINITY): Runner {
  let planted = 0;
  const graphs = (args: readonly string[]) =>
    args.map((arg, index) => (args[index - 1] === '-filter_complex' ? withFault(arg, fault) : arg));
  return {
    ...runner,
    async run(tool, args, options) {
      const isEncoding = args.includes('-progress') && graphs(args).some((arg, index) => arg !== args[index]);
      if (!isEncoding || planted >= times) return runner.run(tool, args, options);
      planted += 1;
      return runner.run(tool, graphs(args), options);
    },
  };
}

function withFault(graph: string, { of, filters }: PlantedFault): string {
  if (of === 'sound') return graph.replace('asplit[a][compared]', `asplit[whole][compared];[whole]${filters}[a]`);
  return graph.replace(`setpts=N[v${of}]`, `${filters},setpts=N[v${of}]`);
}
