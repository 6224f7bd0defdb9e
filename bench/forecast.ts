import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Band, MIN_VIDEOS, type ViewHistory } from '@reelgraph/forecast';
import { viewsUntil } from '../packages/forecast/src/history-features.ts';
import { quantileOf } from '../packages/forecast/src/quantiles.ts';
import { simulateVideos } from '../packages/forecast/src/simulated-views.fixture.ts';
import { compareForecasts, figuresOf, type Task } from './forecast/evaluate.ts';
import { readDailyViews } from './forecast/read-daily-views.ts';
import { table } from './results.ts';

const FUTURES = 200;
const USAGE = 'npm run bench:forecast -- [daily-views.csv] [--from 7] [--to 30] [--folds 5] [--seed 1]';

/**
 * How good forecasts of views are: from the first 7 days to day 30, for the videos of a CSV file, each forecast by
 * models that had not seen it. Without a file, for simulated videos whose true distribution of outcomes is known;
 * `--videos` sets their number, `--generate FILE` writes them to a file.
 */
export async function run(args: string[]): Promise<void> {
  try {
    compare(args);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(USAGE);
    process.exitCode = 1;
  }
}

function compare(args: string[]): void {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      from: { type: 'string', default: '7' },
      to: { type: 'string', default: '30' },
      folds: { type: 'string', default: '5' },
      seed: { type: 'string', default: '1' },
      videos: { type: 'string', default: '4000' },
      generate: { type: 'string' },
    },
  });
  const task: Task = {
    age: wholeNumber('--from', values.from, 1),
    horizon: wholeNumber('--to', values.to, 2),
    folds: wholeNumber('--folds', values.folds, 2),
    seed: wholeNumber('--seed', values.seed, 0),
  };
  if (task.horizon <= task.age) throw new Error('--to must be after --from.');
  const file = positionals[0];
  if (file !== undefined) {
    print(fromFile(file, task), task);
    return;
  }
  const simulated = simulation(wholeNumber('--videos', values.videos, 2 * MIN_VIDEOS), task);
  if (values.generate === undefined) print(simulated, task);
  else writeFileSync(values.generate, csvOf(simulated.videos));
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new Error(`${name} is "${text}", not a whole number from ${least}.`);
}

interface Videos {
  readonly videos: readonly ViewHistory[];
  /** Forecasts by who knows how the simulation works, and the state of each video. */
  readonly truth: readonly Band[] | null;
}

function fromFile(path: string, { age, horizon }: Task): Videos {
  const { videos, missing } = readDailyViews(readFileSync(path, 'utf8'));
  const long = videos.filter(({ daily }) => daily.length >= horizon);
  const known = long.filter(({ daily }) => viewsUntil(daily, age) > 0);
  const gaps = long.reduce((sum, { missingDays }) => sum + missingDays, 0);
  console.log(
    `${videos.length} videos; left out: ${videos.length - long.length} with fewer than ${horizon} days, ` +
      `${long.length - known.length} without views in the first ${age}.`,
  );
  if (gaps > 0) console.log(`${gaps} days have no row: ${missing === 'ZERO' ? 'counted as 0' : 'interpolated'}.`);
  const least = 2 * MIN_VIDEOS;
  if (known.length < least)
    throw new Error(`${known.length} videos are left; at least ${least} are needed, each with ${horizon} days.`);
  return { videos: known.map((video) => ({ ...video, channelViews: null })), truth: null };
}

function simulation(count: number, { age, horizon, seed }: Task): Videos {
  const futures = { knownDays: age, count: FUTURES };
  const simulated = simulateVideos({ seed, videos: count, days: horizon, futures });
  const known = simulated.videos
    .map((video, index) => ({ video, future: simulated.futures[index]!, now: viewsUntil(video.daily, age) }))
    .filter(({ now }) => now > 0);
  console.log(`${count} simulated videos; left out: ${count - known.length} without views in the first ${age} days.`);
  return {
    videos: known.map(({ video: { daily, weekday } }) => ({ daily, weekday, channelViews: null })),
    truth: known.map(({ future, now }) => [
      now + quantileOf(future, 0.1),
      now + quantileOf(future, 0.5),
      now + quantileOf(future, 0.9),
    ]),
  };
}

function csvOf(videos: readonly ViewHistory[]): string {
  const rows = videos.flatMap(({ daily }, video) => Array.from(daily, (views, day) => `v${video},${day + 1},${views}`));
  return `video,day,views\n${rows.join('\n')}\n`;
}

function print({ videos, truth }: Videos, task: Task): void {
  const startMs = performance.now();
  const { model, reference, withTrees } = compareForecasts(videos, task);
  const seconds = (performance.now() - startMs) / 1000;
  const real = videos.map(({ daily }) => viewsUntil(daily, task.horizon));
  const row = (name: string, forecasts: readonly Band[]): string[] => {
    const { male, precisionAtTop, coverage } = figuresOf(forecasts, real);
    return [name, male.toFixed(3), precisionAtTop.toFixed(3), coverage.toFixed(3)];
  };
  console.log(
    `Day ${task.age} to day ${task.horizon}, ${videos.length} videos in ${task.folds} folds, seed ${task.seed}; ` +
      `trees were chosen in ${withTrees} of ${task.folds}; ${seconds.toFixed(0)} s.\n`,
  );
  const rows = [
    ['', 'MALE', 'p@5 %', 'coverage of 80 %'],
    row('forecast', model),
    row('one scale for all (Szabo-Huberman)', reference),
  ];
  if (truth) rows.push(row('known truth of the simulation', truth));
  console.log(table(rows));
}
