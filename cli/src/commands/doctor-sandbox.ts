import type { Finding } from './doctor.ts';

/** The part of `GET /readyz` about the sandbox; all but `state` only for those on the platform's private network. */
interface SandboxAnswer {
  readonly state?: 'complete' | 'incomplete' | 'refusing';
  readonly method?: string;
  readonly protections?: Readonly<Record<string, boolean>>;
  readonly advice?: readonly string[];
}

/** What makes the sandbox complete, by where the platform runs. */
const ADVICE = [
  'Install bubblewrap (Debian: apt-get install bubblewrap) on the machines or in the image that run the platform.',
  'In a container, run it as another user than root and allow namespaces: docker run --user 1000:1000 --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined',
  'With podman: podman run --user 1000:1000 --security-opt seccomp=unconfined --security-opt unmask=ALL; with SELinux also --security-opt label=disable',
  'In a container that runs it as root: docker run --cap-add SYS_ADMIN --cap-add NET_ADMIN --security-opt seccomp=unconfined --security-opt apparmor=unconfined',
  'On the host, where users may not make namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu), kernel.unprivileged_userns_clone=1 (older Debian)',
];

/** The part about workers, for those on the platform's private network. */
interface WorkerAnswer {
  readonly host: string;
  readonly sandbox: SandboxAnswer;
}

/** How the platform isolates the programs that read what users upload, and what to do where that is not enough. */
export async function sandboxFinding(url: string, signal: AbortSignal): Promise<Finding[]> {
  const response = await fetch(new URL('/readyz', url), { signal }).catch(() => null);
  // The answer of our own endpoint; an older platform does not have the field.
  const answer = (await response?.json().catch(() => null)) as
    | { sandbox?: SandboxAnswer; workers?: readonly WorkerAnswer[] }
    | null
    | undefined;
  signal.throwIfAborted();
  const sandbox = answer?.sandbox;
  if (sandbox?.state === undefined) return [{ check: 'sandbox', state: 'warning', found: 'the platform does not tell' }];
  return [finding('sandbox', sandbox), ...workerFindings(answer?.workers)];
}

function workerFindings(workers: readonly WorkerAnswer[] | undefined): Finding[] {
  if (!workers) return [];
  if (workers.length === 0)
    return [
      { check: 'workers', state: 'failed', found: 'none is running: uploaded videos wait', advice: ['Start one with --role worker.'] },
    ];
  return workers.map(({ host, sandbox }) => finding(`sandbox of worker ${host}`, sandbox));
}

function finding(check: string, sandbox: SandboxAnswer): Finding {
  const { state = 'incomplete', advice = [] } = sandbox;
  const found = describe({ ...sandbox, state });
  if (state === 'complete') return { check, state: 'ok', found };
  return { check, state: state === 'refusing' ? 'failed' : 'warning', found, advice: [...advice, ...ADVICE] };
}

function describe({ state, method, protections = {} }: SandboxAnswer): string {
  const names = Object.keys(protections).sort(); // what comes from the database has lost its order
  const named = (wanted: boolean) => names.filter((name) => protections[name] === wanted);
  const means = state === 'refusing' ? 'no media is processed until it is complete (SANDBOX=require)' : `${state}`;
  const facts = [means, ...(method ? [method] : []), ...(named(true).length > 0 ? [`holds: ${named(true).join(', ')}`] : [])];
  if (named(false).length > 0) facts.push(`missing: ${named(false).join(', ')}`);
  return facts.join('; ');
}
