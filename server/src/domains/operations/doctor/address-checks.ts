import type { Config } from '../../../platform/config/config.ts';
import { hostOf, isLoopback } from '../../../platform/config/listen-hosts.ts';
import { systemAddresses } from '../../../platform/fetch/guarded-fetch.ts';
import { isPublicAddress } from '../../../platform/fetch/public-address.ts';
import { clockFinding } from './database-checks.ts';
import { type Check, type Finding, ok, problem, reasonOf, warning } from './finding.ts';

const TIMEOUT_MS = 8_000;
/** nginx refuses more than 1 MiB by default. */
const BODY_BYTES = 2 * 1024 ** 2;

/** The public address: settings that are unsafe there, its name, and what a proxy in front does with requests. */
export function addressChecks(config: Config): Check[] {
  return [
    { name: 'settings', run: async () => settingFindings(config) },
    { name: 'address', run: () => checkName(config) },
    { name: 'proxy', limitMs: 60_000, run: () => checkProxy(config) },
  ];
}

/** Pure. */
export function settingFindings(config: Config): Finding[] {
  const { BASE_URL, METRICS, SIGN_UP, TRUST_PROXY, SHARED_CACHE, listenHosts } = config;
  const isOpen = !listenHosts.every(isLoopback);
  const isLocal = isLoopback(hostOf(BASE_URL));
  const findings: Finding[] = [];
  if (isOpen && isLocal)
    findings.push(
      problem(`The server listens to others, and BASE_URL is ${BASE_URL}.`, 'Set BASE_URL to its public address.'),
    );
  if (!isLocal && BASE_URL.startsWith('http:'))
    findings.push(
      problem(
        'BASE_URL has no TLS: passwords and cookies can be read on the way, and browsers offer no passkeys.',
        'Let a proxy terminate TLS, and set BASE_URL to https://.',
      ),
    );
  if (TRUST_PROXY === 'on' && isOpen)
    findings.push(
      warning(
        'TRUST_PROXY is on, and the server does not listen on loopback only: who reaches it past the proxy can claim ' +
          'any address.',
        'Set HOST=127.0.0.1 if the proxy runs on this machine, else let a firewall admit the proxy only.',
      ),
    );
  if (TRUST_PROXY === 'off' && !isLocal && BASE_URL.startsWith('https:'))
    findings.push(
      warning(
        'TRUST_PROXY is off behind a proxy that terminates TLS: all people share the limits of one address.',
        'Set TRUST_PROXY=on, and let the proxy set X-Forwarded-For.',
      ),
    );
  if (METRICS === 'public' && !isLocal)
    findings.push(warning('METRICS=public: anyone can read the metrics.', 'Set METRICS=private.'));
  if (SIGN_UP === 'open' && !isLocal)
    findings.push(warning('SIGN_UP=open: anyone can create an account.', 'Set SIGN_UP=invite unless you want that.'));
  if (SHARED_CACHE === 'on' && isLocal)
    findings.push(warning('SHARED_CACHE is on without a public address.', 'Set SHARED_CACHE=off.'));
  return findings.length > 0 ? findings : [ok('No setting is unsafe at this address.')];
}

async function checkName({ BASE_URL }: Config): Promise<Finding> {
  const host = hostOf(BASE_URL);
  if (isLoopback(host)) return ok(`${BASE_URL} is for this machine only.`);
  const advice = 'Add an A or AAAA record, or correct BASE_URL.';
  const addresses = await systemAddresses(host).catch(() => []);
  if (addresses.length === 0) return problem(`${host} has no address in the DNS.`, advice);
  if (addresses.some(isPublicAddress)) return ok(`${host} has the address ${addresses.join(', ')}.`);
  return warning(`${host} has private addresses only (${addresses.join(', ')}): others do not reach it.`, advice);
}

/** What can be measured from this machine by requests through the public address. */
async function checkProxy({ BASE_URL }: Config): Promise<Finding[]> {
  const sentMs = Date.now();
  let response: Response;
  try {
    response = await get(`${BASE_URL}/healthz`);
  } catch (error) {
    return [warning(`${BASE_URL} does not respond: ${reasonOf(error)}.`, 'Start the server, and the proxy in front.')];
  }
  const body = (await response.json().catch(() => null)) as { version?: unknown } | null; // read with care
  if (!response.ok || typeof body?.version !== 'string')
    return [
      problem(
        `${BASE_URL}/healthz responds with ${response.status}, and not as this server does.`,
        'Let the proxy pass all paths on, or correct BASE_URL.',
      ),
    ];
  const dateMs = Date.parse(response.headers.get('date') ?? '');
  // The header has whole seconds.
  const clock = Number.isNaN(dateMs) ? [] : [serverClock(dateMs + 500 - (sentMs + Date.now()) / 2)];
  const findings = await Promise.all([checkBodies(BASE_URL), checkWebSocket(BASE_URL)]);
  return [ok(`The server responds at ${BASE_URL}.`), ...clock, ...findings];
}

function serverClock(skewMs: number): Finding {
  const finding = clockFinding(Math.abs(skewMs) < 2_000 ? 0 : skewMs);
  return {
    ...finding,
    found: finding.found.replace('database', 'public address').replace('database', 'public address'),
  };
}

const get = (url: string, init: RequestInit = {}) =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS), ...init });

/** Uploads have long bodies; this one is for an upload that does not exist, and is refused by the server. */
async function checkBodies(baseUrl: string): Promise<Finding> {
  const upload = `${baseUrl}/uploads/00000000-0000-4000-8000-000000000000`;
  const advice = 'Lift the limit of the proxy (nginx: client_max_body_size 0), and switch off request buffering.';
  try {
    const { status, headers } = await get(upload, { method: 'PUT', body: new Uint8Array(BODY_BYTES) });
    if (headers.has('x-request-id')) return ok('Bodies of 2 MiB reach the server.');
    return problem(`A body of 2 MiB is refused with ${status} before it reaches the server.`, advice);
  } catch (error) {
    // The server may close the connection before it has read all of a refused body.
    return warning(`Whether long bodies reach the server is not known: ${reasonOf(error)}.`, advice);
  }
}

/** The handshake of RFC 6455, section 4.1. */
async function checkWebSocket(baseUrl: string): Promise<Finding> {
  const opened = await new Promise<boolean>((resolve) => {
    const socket = new WebSocket(`${baseUrl.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws');
    const end = (isOpen: boolean) => {
      clearTimeout(timer);
      resolve(isOpen);
      socket.close();
    };
    const timer = setTimeout(end, TIMEOUT_MS, false);
    socket.addEventListener('open', () => end(true));
    socket.addEventListener('error', () => end(false));
  });
  return opened
    ? ok('WebSockets reach the server.')
    : problem('WebSockets do not reach the server.', 'Let the proxy pass the headers Upgrade and Connection on.');
}
