import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of Debian that its image for containers omits, too. */
const OMITTED = ['man', 'locale', 'info', 'doc'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);
/** In the sandbox of a test, limits of the caller may not be raised. */
const LIMITS = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096'];

/** How a container differs from the default. */
export interface RunOptions {
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Folders of this machine, by their paths in the container. */
  readonly volumes?: Readonly<Record<string, string>>;
  /** Further options of `podman run`, such as `--read-only`. */
  readonly options?: readonly string[];
  /** Program and arguments in place of those of the image. */
  readonly command?: readonly string[];
}

/** Builds images and runs containers without a daemon and without a registry, as root, with a store of its own. */
export class Containers {
  readonly environment: NodeJS.ProcessEnv;
  private readonly folder: string;
  private readonly running = new Set<string>();

  /** Everything that is built lies in `folder`. */
  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(join(folder, 'tmp'), { recursive: true });
    const config = join(folder, 'storage.conf');
    const store = { driver: 'vfs', graphroot: join(folder, 'images'), runroot: join(folder, 'run') };
    const lines = Object.entries(store).map(([name, value]) => `${name} = "${value}"\n`);
    writeFileSync(config, `[storage]\n${lines.join('')}`);
    this.environment = {
      ...process.env,
      ...{ CONTAINERS_STORAGE_CONF: config, BUILDAH_ISOLATION: 'chroot', TMPDIR: join(folder, 'tmp') },
    };
  }

  /** Debian 12 as small as its image for containers, named `name`. */
  buildBase(name: string): void {
    const context = join(this.folder, 'base');
    mkdirSync(context);
    const merged = ['--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr', '--include=apt,ca-certificates,usr-is-merged'];
    const licenses = '--dpkgopt=path-include=/usr/share/doc/*/copyright';
    const tar = join(context, 'base.tar');
    this.call('mmdebstrap', ['--variant=essential', ...merged, ...OMITTED, licenses, 'bookworm', tar]);
    writeFileSync(join(context, 'Containerfile'), 'FROM scratch\nADD base.tar /\nCMD ["/bin/bash"]\n');
    this.call('buildah', ['build', '--format', 'docker', '-t', name, context]);
  }

  /** Starts a container in the network of this machine. */
  start(name: string, image: string, options: RunOptions = {}): void {
    const { user, environment = {}, volumes = {}, command = [] } = options;
    this.podman([
      ...['run', '--detach', '--name', name, '--network', 'host', '--no-healthcheck', ...LIMITS],
      ...(user === undefined ? [] : ['--user', user]),
      ...Object.entries(environment).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
      ...Object.entries(volumes).flatMap(([inside, outside]) => ['--volume', `${outside}:${inside}`]),
      ...(options.options ?? []),
      image,
      ...command,
    ]);
    this.running.add(name);
  }

  /** What a command in a container prints. Throws with its output when it fails. */
  exec(name: string, ...command: string[]): string {
    return this.podman(['exec', name, ...command]);
  }

  /** What it has printed, to standard output and error. */
  logs(name: string): string {
    const { stdout, stderr } = spawnSync('podman', [...this.options(), 'logs', name], this.spawnOptions());
    return stdout + stderr;
  }

  /** Sends SIGTERM, and SIGKILL `graceSeconds` later; its status and how long it took, then it is removed. */
  stop(name: string, graceSeconds = 10): { code: number; seconds: number } {
    const startedAt = performance.now();
    this.podman(['stop', '--time', String(graceSeconds), name]);
    const seconds = (performance.now() - startedAt) / 1_000;
    const code = this.code(name);
    this.remove(name);
    return { code, seconds };
  }

  /** The status of a container that has ended; null while it runs. */
  status(name: string): number | null {
    return this.inspect(name, '{{.State.Running}}') === 'true' ? null : this.code(name);
  }

  private code(name: string): number {
    return Number(this.inspect(name, '{{.State.ExitCode}}'));
  }

  private inspect(name: string, format: string): string {
    return this.podman(['inspect', '--type', 'container', '--format', format, name]).trim();
  }

  remove(name: string): void {
    this.podman(['rm', '--force', '--time', '0', name]);
    this.running.delete(name);
  }

  /** What the image says about itself, as `podman inspect` has it. */
  describe(image: string): Record<string, unknown> {
    return JSON.parse(this.podman(['image', 'inspect', image]))[0];
  }

  /** Ends what still runs. */
  close(): void {
    for (const name of this.running) this.remove(name);
  }

  private podman(args: readonly string[]): string {
    return this.call('podman', [...this.options(), ...args]);
  }

  private options(): string[] {
    return ['--runtime', 'runc', '--cgroup-manager', 'cgroupfs'];
  }

  private call(program: string, args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync(program, args, this.spawnOptions());
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
    return stdout;
  }

  private spawnOptions() {
    return { env: this.environment, encoding: 'utf8', maxBuffer: 1 << 28 } as const;
  }
}

/** Runs the release of this repository, with the same builder. */
export function runRelease(root: string, containers: Containers, ...args: string[]): void {
  execFileSync('npm', ['run', 'release', '--', ...args], {
    cwd: root,
    env: containers.environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
