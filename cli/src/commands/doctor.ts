import { spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { Command } from '@commander-js/extra-typings';
import { configPath } from '../account.ts';
import { type CommandContext, clientFor, contextOf } from '../context.ts';
import { AlreadyReported, describeError, EXIT } from '../errors.ts';
import { examples } from '../options.ts';
import { sandboxFinding } from './doctor-sandbox.ts';
import type { Finding } from './finding.ts';
import { planText } from './plan-text.ts';

const SIGNS = { ok: ['green', '✔'], warning: ['yellow', '!'], failed: ['red', '✖'] } as const;
/** A larger difference breaks signed addresses and scheduled releases. */
const SKEW_MS = 30_000;

/** Tests everything that uploads depend on. */
export const doctor = new Command('doctor')
  .summary('Check connection, key, permissions, limits, clock, sandbox and local programs')
  .description(
    'Check connection, key, permissions, limits, clock, sandbox and local ' +
      'programs. Exits with 1 if a check fails; warnings do not count.',
  )
  .addHelpText('after', examples('reelgraph doctor', 'reelgraph doctor --json'))
  .action(async (_options, command) => {
    const context = contextOf(command);
    const local = [programFinding('ffmpeg'), programFinding('ffprobe')];
    const findings = [await configFinding(context), ...(await platformFindings(context)), ...local];
    context.result({ findings }, (out) => {
      out.table(findings.map(({ check, state, found }) => [out.style(SIGNS[state][0], SIGNS[state][1]), check, found]));
      for (const { check, advice = [] } of findings) for (const sentence of advice) out.line(`${check}: ${sentence}`);
    });
    if (findings.some(({ state }) => state === 'failed')) throw new AlreadyReported(EXIT.failed);
  });

async function configFinding({ env }: CommandContext): Promise<Finding> {
  const file = configPath(env);
  const facts = await stat(file).catch(() => null);
  const check = 'config file';
  if (!facts) return { check, state: 'ok', found: `${file} does not exist; not logged in` };
  const mode = (facts.mode & 0o777).toString(8);
  const isPrivate = process.platform === 'win32' || (facts.mode & 0o077) === 0;
  return {
    check,
    state: isPrivate ? 'ok' : 'failed',
    found: isPrivate ? `${file}, mode ${mode}` : `${file} has mode ${mode}: chmod 600 it`,
  };
}

async function platformFindings(context: CommandContext): Promise<Finding[]> {
  let skewMs: number | null = null;
  const timedFetch: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) skewMs = Date.now() - date;
    return response;
  };
  let url: string | null = null;
  try {
    const account = await context.account();
    url = account.url;
    const { key } = account;
    const client = clientFor(url, key ?? '', timedFetch);
    const startedMs = performance.now();
    const check = await client.verifyConnection({}, { signal: context.signal, retry: false });
    const tookMs = Math.round(performance.now() - startedMs);
    const { remaining, limit, restoreRate } = await client.rateLimit({}, { signal: context.signal });
    const { user, subscription, permissions, serverVersion } = check;
    return [
      { check: 'connection', state: 'ok', found: `${url}, version ${serverVersion}, ${tookMs} ms` },
      tlsFinding(url),
      { check: 'key', state: 'ok', found: keyText(user.username, planText(subscription)) },
      {
        check: 'permissions',
        state: permissions.length > 0 ? 'ok' : 'warning',
        found: `${permissions.length}: ${permissions.join(', ')}`,
      },
      {
        check: 'limits',
        state: remaining > limit / 10 ? 'ok' : 'warning',
        found: `${remaining} of ${limit} points left, restored at ${restoreRate} per second`,
      },
      clockFinding(skewMs),
      ...(await sandboxFinding(url, context.signal)),
    ];
  } catch (error) {
    context.signal.throwIfAborted();
    const { message, suggestedFix, exitCode } = describeError(error);
    const check = exitCode === EXIT.unauthorized ? 'key' : 'connection';
    const failed: Finding = { check, state: 'failed', found: [message, suggestedFix].filter(Boolean).join(' ') };
    // The state of the sandbox is public.
    return url === null ? [failed] : [failed, ...(await sandboxFinding(url, context.signal))];
  }
}

/** A token may not say the plan. */
function keyText(username: string, plan: string | null): string {
  return plan === null ? username : `${username}, plan ${plan}`;
}

function tlsFinding(url: string): Finding {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:') return { check: 'TLS', state: 'ok', found: 'the certificate is trusted' };
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const found = isLocal
    ? 'none; not needed on this machine'
    : 'none: anyone on the network can read the key. Use https://.';
  return { check: 'TLS', state: isLocal ? 'ok' : 'warning', found };
}

function clockFinding(skewMs: number | null): Finding {
  const check = 'clock';
  if (skewMs === null) return { check, state: 'warning', found: 'the platform sends no date' };
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  const isClose = Math.abs(skewMs) <= SKEW_MS;
  return {
    check,
    state: isClose ? 'ok' : 'warning',
    found: `${seconds} s ${skewMs < 0 ? 'behind' : 'ahead of'} the platform's`,
  };
}

/** Useful to prepare files, but not required. */
function programFinding(name: string): Finding {
  const { status, stdout } = spawnSync(name, ['-version'], { encoding: 'utf8' });
  if (status !== 0)
    return { check: name, state: 'warning', found: 'not found; only needed to prepare files on this machine' };
  return { check: name, state: 'ok', found: `${stdout.split('\n')[0]}`.slice(0, 60) };
}
