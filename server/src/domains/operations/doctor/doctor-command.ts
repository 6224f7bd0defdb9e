import type { Config } from '../../../platform/config/config.ts';
import { type AdminCommands, type AdminResult, readFlags, SWITCH, TEXT, textFlag } from '../../accounts/index.ts';
import { addressChecks } from './address-checks.ts';
import { databaseChecks, type OpenServer } from './database-checks.ts';
import { runChecks } from './finding.ts';
import { hostChecks } from './host-checks.ts';
import { reportOf, secretsIn } from './report.ts';
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
  return reportOf(findings, { asJson: flags.json === true });
}
