import { setImmediate as pause } from 'node:timers/promises';
import { type Design, type Fit, fit, type Priors } from './fit.ts';
import { logPriorOfScales, PRIOR_MEAN, PRIOR_SCALE, priorScales, type Scales } from './prior.ts';

export interface ScaledFit extends Fit {
  readonly scales: Scales;
}

/** The search ends at steps of 0.05, much less than the uncertainty of a scale. */
const FIRST_STEP = 0.4;
const LAST_STEP = 0.05;

/**
 * Fits with the most probable scales given clicks and prior: a coordinate search with shrinking steps, which terminates
 * and is deterministic. Yields to the event loop after each fit.
 */
export async function fitWithScales(design: Design): Promise<ScaledFit> {
  const hasFeatures = design.columns > 1;
  const names: (keyof Scales)[] = hasFeatures ? ['contents', 'channels', 'features'] : ['contents', 'channels'];
  const tryScales = async (scales: Scales, start?: Fit) => {
    await pause();
    const fitted = fit(design, priorsOf(design, scales), start);
    return { fitted, scales, height: fitted.logEvidence + logPriorOfScales(scales) };
  };
  let best = await tryScales(priorScales(hasFeatures));
  for (let step = FIRST_STEP; step >= LAST_STEP; step /= 2) {
    for (let moved = true; moved; ) {
      moved = false;
      for (const name of names) {
        for (const direction of [step, -step]) {
          const tried = await tryScales(
            { ...best.scales, [name]: best.scales[name] * Math.exp(direction) },
            best.fitted,
          );
          if (tried.height <= best.height) continue;
          best = tried;
          moved = true;
          break;
        }
      }
    }
  }
  return { ...best.fitted, scales: best.scales };
}

/** The prior of the coefficients: the scale of all features, divided equally. */
function priorsOf({ rows, columns, groups }: Design, scales: Scales): Priors {
  const mean = new Float64Array(columns);
  mean[0] = PRIOR_MEAN;
  const variance = new Float64Array(columns).fill(scales.features ** 2 / Math.max(1, groups));
  variance[0] = PRIOR_SCALE ** 2;
  return {
    mean,
    variance,
    channelVariance: scales.channels ** 2,
    contentVariance: new Float64Array(rows).fill(scales.contents ** 2),
  };
}
