import type { Config } from '../../../platform/config/config.ts';
import { SECRET_SETTINGS } from '../../../platform/config/secret-files.ts';
import { type AdminCommands, type AdminResult, readFlags, SWITCH, TEXT, textFlag } from '../../accounts/index.ts';
import { addressChecks } from './address-checks.ts';
import { databaseChecks, type OpenServer } from './database-checks.ts';
import { type NamedFinding, runChecks } from './finding.ts';
import { hostChecks } from './host-checks.ts';
import { serviceChecks } from './service-checks.ts';

const OPTIONS = { json: SWITCH, 'send-mail-to': TEXT };

/** For the list of commands; it is run by {@link runDoctor}, because it works without a database. */
export const DOCTOR_COMMAND: Pick<AdminCommands[string], 'about' | 'usage' | 'options'> = {
  about:
    'Checks disk, database, storage, mail, sandbox, programs, ports, public address and proxy, and says what to do. ' +
    'Sends no mail without --send-mail-to. Exits with 1 if there is a problem; warnings do not count.',
  usage: '[--json] [--send-mail-to E]',
  options: OPTIONS,
};

/** Runs all checks with these settings; prints no secrets. Throws UsageError for unknown flags. */
export async function runDoctor(args: string[], config: Config, openServer: OpenServer): Promise<AdminResult> {
  const flags = readFlags({ options: OPTIONS }, args);
  const checks = [
    ...hostChecks(config),
    ...databaseChecks(openServer),
    ...serviceChecks(config, { sendMailTo: textFlag(flags, 'send-mail-to') }),
    ...addressChecks(config),
  ];
  const findings = await runChecks(checks, secretsIn(config));
  const hasProblem = findings.some(({ state }) => state === 'problem');
  const stdout = flags.json === true ? `${JSON.stringify({ findings }, null, 2)}\n` : textOf(findings);
  return { exitCode: hasProblem ? 1 : 0, stdout, stderr: '' };
}

/** Values of secret settings, and the passwords in addresses among them. */
function secretsIn(config: Config): string[] {
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
