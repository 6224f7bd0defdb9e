import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEPLOY } from '../proxies/examples.ts';

/** The units of `deploy/systemd`. */
export const UNITS = ['reelgraph.service', 'reelgraph@.service'] as const;
export type UnitName = (typeof UNITS)[number];

/** A directive of a unit and its value, in their order; `[Section]` lines have no value. */
export type Directive = readonly [name: string, value: string];

export function readUnit(name: UnitName): Directive[] {
  const lines = readFileSync(join(DEPLOY, 'systemd', name), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, directive = line, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return [directive, value];
    });
}

/** All values of a directive. */
export function valuesOf(unit: readonly Directive[], name: string): string[] {
  return unit.filter(([directive]) => directive === name).map(([, value]) => value);
}
