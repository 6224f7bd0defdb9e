import type { Config } from '../../../platform/config/config.ts';
import { SECRET_SETTINGS } from '../../../platform/config/secret-files.ts';
import type { AdminResult } from '../../accounts/index.ts';
import type { NamedFinding } from './finding.ts';

/** What a command with findings prints; it exits with 1 if there is a problem. */
export function reportOf(findings: readonly NamedFinding[], { asJson }: { readonly asJson: boolean }): AdminResult {
  const hasProblem = findings.some(({ state }) => state === 'problem');
  const stdout = asJson ? `${JSON.stringify({ findings }, null, 2)}\n` : textOf(findings);
  return { exitCode: hasProblem ? 1 : 0, stdout, stderr: '' };
}

/** Values of secret settings, and the passwords in addresses among them. */
export function secretsIn(config: Config): string[] {
  const values = Object.entries(config).flatMap(([name, value]) =>
    SECRET_SETTINGS.includes(name) && value !== undefined ? [value].flat().map(String) : [],
  );
  const clients = config.oidcProviders.flatMap(({ CLIENT_SECRET = '' }) => [CLIENT_SECRET]);
  const passwords = values.flatMap((value) => {
    if (!URL.canParse(value)) return [];
    const { password } = new URL(value);
    return [password, decodeURIComponent(password)];
  });
  return [...values, ...passwords, ...clients].filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
}

const SIGNS = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM' } as const;

function textOf(findings: readonly NamedFinding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, state, found, advice }) => [
    `${SIGNS[state]}  ${check.padEnd(width)}  ${found}`,
    ...(advice === '' ? [] : [`${' '.repeat(width + 11)}${advice}`]),
  ]);
  return `${lines.join('\n')}\n`;
}
