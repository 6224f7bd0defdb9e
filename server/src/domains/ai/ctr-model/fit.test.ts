import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cholesky, inverse, logDeterminant, quadraticForm, solve } from '@reelgraph/forecast';
import { integrateContent } from './content-integral.ts';
import { fit } from './fit.ts';
import { fitWithScales } from './fit-scales.ts';
import { expectedShare, HERMITE, logistic, logit, normalShareBelow } from './normal.ts';
import { PRIOR_MEAN, PRIOR_VARIANCE } from './prior.ts';
import { binomial, randomOf } from './simulated.fixture.ts';

const near = (actual: number, expected: number, within: number, what = ''): void =>
  assert.ok(Math.abs(actual - expected) <= within, `${what} ${actual} is within ${within} of ${expected}`);

describe('linear algebra', () => {
  const matrix = Float64Array.of(4, 12, -16, 12, 37, -43, -16, -43, 98);
  it('matches known results', () => {
    const lower = cholesky(matrix, 3);
    assert.deepEqual([...lower], [2, 0, 0, 6, 1, 0, -8, 5, 3]);
    near(logDeterminant(lower, 3), Math.log(36), 1e-12);
    const x = solve(lower, 3, Float64Array.of(0, 6, 39));
    for (const [index, expected] of [1, 1, 1].entries()) near(x[index] ?? Number.NaN, expected, 1e-10);
    near(inverse(lower, 3)[0] ?? Number.NaN, (37 * 98 - 43 * 43) / 36, 1e-9);
    assert.equal(quadraticForm(matrix, [1, 0, 2]), 4 - 64 + 392);
  });
  it('refuses an invalid covariance', () => {
    assert.throws(() => cholesky(Float64Array.of(1, 2, 2, 1), 2), /not positive definite/);
  });
});

describe('normal logits', () => {
  it('are integrated exactly for polynomials', () => {
    const moment = (power: number) =>
      HERMITE.reduce((sum, { at, weight }) => sum + weight * at ** power, 0) / Math.sqrt(Math.PI);
    for (const [power, expected] of [
      [0, 1],
      [1, 0],
      [2, 0.5],
      [4, 0.75],
      [6, 15 / 8],
      [20, 654_729_075 / 1024],
    ] as const)
      near(moment(power), expected, expected * 1e-9 + 1e-12);
  });
  it('match known probabilities', () => {
    near(normalShareBelow(0), 0.5, 1e-7);
    near(normalShareBelow(1.959964), 0.975, 1e-6);
    near(normalShareBelow(-1.281552), 0.1, 1e-6);
    near(expectedShare(0, 3), 0.5, 1e-12);
    near(expectedShare(logit(0.05), 1e-9), 0.05, 1e-9);
  });
  it('have the published prior: half of them between 2 % and 10 %', () => {
    const below = (share: number) => normalShareBelow((logit(share) - PRIOR_MEAN) / Math.sqrt(PRIOR_VARIANCE));
    near(below(0.02), 0.25, 1e-6);
    near(below(0.1), 0.75, 1e-6);
  });
});

describe('a content', () => {
  /** By numeric integration from -15 to 10. */
  function byStrips(n: number, clicks: number, centre: number, variance: number) {
    const width = 1 / 2_000;
    const at = (k: number) => k * width - 15;
    const log = (x: number) => clicks * x - n * Math.log1p(Math.exp(x)) - (x - centre) ** 2 / 2 / variance;
    const densities = Array.from({ length: 50_001 }, (_, k) => log(at(k)));
    const top = densities.reduce((most, density) => Math.max(most, density));
    const total = densities.reduce((sum, density) => sum + Math.exp(density - top), 0);
    const mean = densities.reduce((sum, density, k) => sum + at(k) * Math.exp(density - top), 0) / total;
    const spread =
      densities.reduce((sum, density, k) => sum + (at(k) - mean) ** 2 * Math.exp(density - top), 0) / total;
    return {
      logLikelihood: top + Math.log(total * width) - Math.log(2 * Math.PI * variance) / 2,
      mean,
      variance: spread,
    };
  }
  for (const [n, clicks] of [
    [1, 0],
    [1, 1],
    [30, 0],
    [400, 17],
    [20_000, 19_000],
  ] as const) {
    it(`with ${clicks} clicks in ${n} impressions matches numeric integration`, () => {
      const out = { logLikelihood: 0, mean: 0, variance: 0 };
      for (const variance of [0.05, 0.6, 1.6]) {
        integrateContent(n, clicks, PRIOR_MEAN, variance, out);
        const expected = byStrips(n, clicks, PRIOR_MEAN, variance);
        for (const name of ['logLikelihood', 'mean', 'variance'] as const)
          near(out[name], expected[name], 1e-4 * Math.max(1, Math.abs(expected[name])), `${name} ${variance}`);
      }
    });
  }
  it('with a million impressions is determined by them', () => {
    const out = { logLikelihood: 0, mean: 0, variance: 0 };
    integrateContent(1_000_000, 50_000, PRIOR_MEAN, 0.4, out);
    near(out.mean, logit(0.05), 1e-3);
    near(out.variance, 1 / (1_000_000 * 0.05 * 0.95), 1e-6);
  });
});

/** Contents with three features, in channels. */
function design(
  seed: number,
  { rows = 1_200, channels = 60, truth = [-3.2, 0.5, -0.3, 0], channelScale = 0.5, contentScale = 0.7, n = 300 } = {},
) {
  const random = randomOf(seed);
  const columns = truth.length;
  const x = Float64Array.from({ length: rows * columns }, (_, index) => (index % columns === 0 ? 1 : random.normal()));
  const ofChannel = Array.from({ length: channels }, () => channelScale * random.normal());
  const channel = Int32Array.from({ length: rows }, () => Math.floor(random.uniform() * channels));
  const impressions = Float64Array.from({ length: rows }, () => Math.max(1, Math.round(n * Math.exp(random.normal()))));
  const clicks = Float64Array.from(impressions, (shown, row) => {
    const linear = truth.reduce((sum, value, column) => sum + value * (x[row * columns + column] ?? 0), 0);
    return binomial(
      random,
      shown,
      logistic(linear + (ofChannel[channel[row] ?? 0] ?? 0) + contentScale * random.normal()),
    );
  });
  return { rows, columns, groups: 3, x, impressions, clicks, channel, channels };
}

describe('fitting', () => {
  it('recovers known coefficients and scales, with their uncertainty', async () => {
    const truth = [-3.2, 0.5, -0.3, 0];
    const { mean, covariance, scales } = await fitWithScales(design(7, { truth }));
    for (const [column, value] of truth.entries()) {
      const deviation = Math.sqrt(covariance[column * 5] ?? Number.NaN);
      near(mean[column] ?? Number.NaN, value, 3 * deviation, `coefficient ${column}`);
      assert.ok(deviation < (column === 0 ? 0.1 : 0.04), `deviation ${deviation}`);
    }
    near(scales.contents, 0.7, 0.1);
    near(scales.channels, 0.5, 0.15);
  });

  it('is calibrated: nine of ten 90 % intervals contain the true value', () => {
    const truth = [-3, 0.4, -0.2, 0.1];
    let held = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      const contents = design(seed, { rows: 250, channels: 25, truth, n: 80 });
      const priors = {
        mean: Float64Array.of(PRIOR_MEAN, 0, 0, 0),
        variance: Float64Array.of(0.4, 0.13, 0.13, 0.13),
        channelVariance: 0.25,
        contentVariance: new Float64Array(250).fill(0.49),
      };
      const { mean, covariance } = fit(contents, priors);
      for (const [column, value] of truth.entries()) {
        if (Math.abs((mean[column] ?? 0) - value) < 1.645 * Math.sqrt(covariance[column * 5] ?? 0)) held += 1;
      }
    }
    assert.ok(held / 160 > 0.84 && held / 160 < 0.96, `${held} of 160`);
  });

  it('weighs contents of the same channel less', () => {
    const many = design(3, { rows: 200, channels: 40 });
    const priors = (contentVariance: number) => ({
      mean: Float64Array.of(PRIOR_MEAN, 0, 0, 0),
      variance: new Float64Array(4).fill(0.4),
      channelVariance: 0.4,
      contentVariance: new Float64Array(200).fill(contentVariance),
    });
    const spread = fit(many, priors(0.4)).covariance[0] ?? 0;
    const one = fit({ ...many, channel: new Int32Array(200), channels: 1 }, priors(0.4)).covariance[0] ?? 0;
    assert.ok(one > 5 * spread, `${one} against ${spread}`);
    assert.ok((fit(many, priors(1.2)).covariance[5] ?? 0) > (fit(many, priors(0.2)).covariance[5] ?? 0) * 1.5);
  });

  it('keeps the prior without data', () => {
    const nothing = {
      rows: 0,
      columns: 2,
      groups: 1,
      x: new Float64Array(),
      impressions: new Float64Array(),
      clicks: new Float64Array(),
      channel: new Int32Array(),
      channels: 0,
    };
    const priors = {
      mean: Float64Array.of(-3, 0),
      variance: Float64Array.of(0.4, 0.2),
      channelVariance: 0.4,
      contentVariance: new Float64Array(),
    };
    const { mean, covariance, logEvidence } = fit(nothing, priors);
    assert.deepEqual([...mean], [-3, 0]);
    near(covariance[0] ?? Number.NaN, 0.4, 1e-12);
    near(logEvidence, 0, 1e-12);
  });
});
