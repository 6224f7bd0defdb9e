import { spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { configPath } from '../account.ts';
import { type Call, clientOf } from '../call.ts';
import type { Command } from '../command.ts';
import { EXIT, failureOf, Told } from '../failures.ts';
import { sandboxFinding } from './doctor-sandbox.ts';

/** What was looked at, and what was found. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly found: string;
  /** What can be done about it. */
  readonly advice?: readonly string[];
}

const SIGNS = { ok: ['green', '✔'], warning: ['yellow', '!'], failed: ['red', '✖'] } as const;
/** Signed addresses and releases suffer from clocks that differ by more. */
const SKEW_MS = 30_000;

/** Looks at everything that has to be right. */
export const doctor: Command = {
  name: 'doctor',
  about: 'Check connection, key, permissions, limits, clock, sandbox and the programs beside',
  details: 'Ends with 1 when something has to be put right; warnings do not count.',
  operands: [],
  options: [],
  examples: ['reelgraph doctor', 'reelgraph doctor --json'],
  async run(call) {
    const findings = [await configFinding(call), ...(await platformFindings(call)), programFinding('ffmpeg'), programFinding('ffprobe')];
    call.answer({ findings }, (out) => {
      out.table(findings.map(({ check, state, found }) => [out.style(SIGNS[state][0], SIGNS[state][1]), check, found]));
      for (const { check, advice = [] } of findings) for (const sentence of advice) out.line(`${check}: ${sentence}`);
    });
    if (findings.some(({ state }) => state === 'failed')) throw new Told(EXIT.failed);
  },
};

async function configFinding({ env }: Call): Promise<Finding> {
  const file = configPath(env);
  const facts = await stat(file).catch(() => null);
  const check = 'config file';
  if (!facts) return { check, state: 'ok', found: `${file} is not there; nobody has logged in` };
  const mode = (facts.mode & 0o777).toString(8);
  const isPrivate = process.platform === 'win32' || (facts.mode & 0o077) === 0;
  return {
    check,
    state: isPrivate ? 'ok' : 'failed',
    found: isPrivate ? `${file}, mode ${mode}` : `${file} has mode ${mode}: chmod 600 it`,
  };
}

async function platformFindings(call: Call): Promise<Finding[]> {
  let skewMs: number | null = null;
  const watched: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) skewMs = Date.now() - date;
    return response;
  };
  let url: string | null = null;
  try {
    const account = await call.account();
    url = account.url;
    const { key } = account;
    const client = clientOf(url, key ?? '', watched);
    const startedMs = performance.now();
    const check = await client.verifyConnection({}, { signal: call.signal, retry: false });
    const tookMs = Math.round(performance.now() - startedMs);
    const { remaining, limit, restoreRate } = await client.rateLimit({}, { signal: call.signal });
    const { user, subscription, permissions, serverVersion } = check;
    return [
      { check: 'connection', state: 'ok', found: `${url}, version ${serverVersion}, ${tookMs} ms` },
      tlsFinding(url),
      { check: 'key', state: 'ok', found: `${user.username}, plan ${subscription.plan} (${subscription.state})` },
      { check: 'permissions', state: permissions.length > 0 ? 'ok' : 'warning', found: `${permissions.length}: ${permissions.join(', ')}` },
      {
        check: 'limits',
        state: remaining > limit / 10 ? 'ok' : 'warning',
        found: `${remaining} of ${limit} points left, ${restoreRate} a second come back`,
      },
      clockFinding(skewMs),
      ...(await sandboxFinding(url, call.signal)),
    ];
  } catch (error) {
    call.signal.throwIfAborted();
    const { message, suggestedFix, exitCode } = failureOf(error);
    const check = exitCode === EXIT.notAuthorised ? 'key' : 'connection';
    const failed: Finding = { check, state: 'failed', found: [message, suggestedFix].filter(Boolean).join(' ') };
    // What the platform tells of its sandbox takes no key.
    return url === null ? [failed] : [failed, ...(await sandboxFinding(url, call.signal))];
  }
}

function tlsFinding(url: string): Finding {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:') return { check: 'TLS', state: 'ok', found: 'the certificate is trusted' };
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const found = isHere ? 'none, and none is needed on this machine' : 'none: everybody on the way can read the key. Use https://.';
  return { check: 'TLS', state: isHere ? 'ok' : 'warning', found };
}

function clockFinding(skewMs: number | null): Finding {
  const check = 'clock';
  if (skewMs === null) return { check, state: 'warning', found: 'the platform does not tell its time' };
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  const isClose = Math.abs(skewMs) <= SKEW_MS;
  return { check, state: isClose ? 'ok' : 'warning', found: `${seconds} s ${skewMs < 0 ? 'behind' : 'ahead of'} the platform's` };
}

/** These are useful beside uploads, and not needed. */
function programFinding(name: string): Finding {
  const { status, stdout } = spawnSync(name, ['-version'], { encoding: 'utf8' });
  if (status !== 0) return { check: name, state: 'warning', found: 'not found; only needed to prepare files here' };
  return { check: name, state: 'ok', found: `${stdout.split('\n')[0]}`.slice(0, 60) };
}
