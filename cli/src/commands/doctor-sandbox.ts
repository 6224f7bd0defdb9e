import type { Finding } from './finding.ts';

/** The part of `GET /readyz` about the sandbox. All but `state` is only shown on the platform's private network. */
interface SandboxStatus {
  readonly state?: 'complete' | 'incomplete' | 'refusing';
  readonly method?: string;
  readonly protections?: Readonly<Record<string, boolean>>;
  readonly advice?: readonly string[];
}

/** How to complete the sandbox, by environment. */
const ADVICE = [
  'Install bubblewrap (Debian: apt-get install bubblewrap) on the machines or in the image that run the platform.',
  'In a container, run it as a user other than root and allow namespaces: docker run --user 1000:1000 ' +
    '--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined',
  'With podman: podman run --user 1000:1000 --security-opt seccomp=unconfined --security-opt unmask=ALL; ' +
    'with SELinux also --security-opt label=disable',
  'In a container as root: docker run --cap-add SYS_ADMIN --cap-add NET_ADMIN ' +
    '--security-opt seccomp=unconfined --security-opt apparmor=unconfined',
  'On a host where users may not create namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0 ' +
    '(Ubuntu), kernel.unprivileged_userns_clone=1 (older Debian)',
];

/** The part about workers, shown on the platform's private network. */
interface WorkerStatus {
  readonly host: string;
  readonly sandbox: SandboxStatus;
}

/** How the platform isolates the programs that read uploads, and how to improve that. */
export async function sandboxFinding(url: string, signal: AbortSignal): Promise<Finding[]> {
  const response = await fetch(new URL('/readyz', url), { signal }).catch(() => null);
  // The response of our own endpoint; older platforms lack the field.
  const status = (await response?.json().catch(() => null)) as
    | { sandbox?: SandboxStatus; workers?: readonly WorkerStatus[] }
    | null
    | undefined;
  signal.throwIfAborted();
  const sandbox = status?.sandbox;
  if (sandbox?.state === undefined)
    return [{ check: 'sandbox', state: 'warning', found: 'the platform does not report it' }];
  return [finding('sandbox', sandbox), ...workerFindings(status?.workers)];
}

function workerFindings(workers: readonly WorkerStatus[] | undefined): Finding[] {
  if (!workers) return [];
  if (workers.length === 0)
    return [
      {
        check: 'workers',
        state: 'failed',
        found: 'none is running: uploads are not processed',
        advice: ['Start one with --role worker.'],
      },
    ];
  return workers.map(({ host, sandbox }) => finding(`sandbox of worker ${host}`, sandbox));
}

function finding(check: string, sandbox: SandboxStatus): Finding {
  const { state = 'incomplete', advice = [] } = sandbox;
  const found = describe({ ...sandbox, state });
  if (state === 'complete') return { check, state: 'ok', found };
  return { check, state: state === 'refusing' ? 'failed' : 'warning', found, advice: [...advice, ...ADVICE] };
}

function describe({ state, method, protections = {} }: SandboxStatus): string {
  const names = Object.keys(protections).sort(); // PostgreSQL's json has no key order
  const named = (wanted: boolean) => names.filter((name) => protections[name] === wanted);
  const summary = state === 'refusing' ? 'no media is processed until it is complete (SANDBOX=require)' : `${state}`;
  const facts = [
    summary,
    ...(method ? [method] : []),
    ...(named(true).length > 0 ? [`holds: ${named(true).join(', ')}`] : []),
  ];
  if (named(false).length > 0) facts.push(`missing: ${named(false).join(', ')}`);
  return facts.join('; ');
}
