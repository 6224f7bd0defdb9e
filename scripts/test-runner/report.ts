import type { TestRun } from './run-tests.ts';

const SLOWEST = 10;

/** Prints what ran: behaviours, table rows, files, and optionally the slowest. */
export function printReport(run: TestRun, slowest: boolean): void {
  if (slowest) {
    console.log('Slowest files:');
    for (const [file, ms] of [...run.took].sort(([, one], [, other]) => other - one).slice(0, SLOWEST))
      console.log(`${(ms / 1000).toFixed(1).padStart(8)} s  ${file}`);
  }
  const rows = run.passed + run.failed - run.behaviours;
  console.log(
    `${run.behaviours} behaviours in ${run.took.size} files, and ${Math.max(rows, 0)} further rows of tables`,
  );
}
