import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const ROOT = join(import.meta.dirname, '../..');
const ROLLDOWN = ['node_modules/rolldown/bin/cli.mjs', '-c', 'cli/rolldown.config.mjs', '--input', SOURCE];
/** The built program, once there is one in this process. */
let built: string | null = null;

/** Builds the program as `npm run build:cli` does: it starts in half the time that its sources take. */
function builtProgram(): string {
  if (built !== null) return built;
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-built-cli-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { status, stderr } = spawnSync(process.execPath, [...ROLLDOWN, '--dir', folder], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The command line does not build:\n${stderr}`);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  built = join(folder, 'main.js');
  return built;
}

/** Exit code and output of a process. */
export interface Exit {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A running process. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  /** The output so far. */
  output(): { readonly out: string; readonly err: string };
  /** Without a code when it was killed: by the test, or after two minutes. */
  readonly ended: Promise<Exit>;
}

/** No command of a test takes nearly as long. */
const LIMITED = { timeout: 120_000, killSignal: 'SIGKILL' } as const;

/** A user with a separate home folder, so that tests do not share configuration and state. */
export class CliUser {
  readonly home: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor(home: string, env: Readonly<Record<string, string>> = {}) {
    mkdirSync(home, { recursive: true });
    this.home = home;
    this.#env = env;
  }

  get configFile(): string {
    return join(this.home, 'config', 'reelgraph', 'config.json');
  }

  /** Starts the real program in a new process. */
  start(line: readonly string[], input?: string): Running {
    const [node, ...args] = programOf(line);
    const running = watched(spawn(node, args, { cwd: this.home, env: this.#environment(), ...LIMITED }));
    running.child.stdin.end(input ?? '');
    return running;
  }

  /**
   * Starts it on a terminal of this width (with `script` of util-linux): `out` is its output and the terminal's echo.
   */
  startOnTerminal(columns: number, line: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
    const command = `stty cols ${columns} && exec ${programOf(line).map(quoted).join(' ')}`;
    const options = { cwd: this.home, env: { SHELL: '/bin/sh', TERM: 'xterm', ...this.#environment(), ...env } };
    return watched(spawn('script', ['-q', '-e', '-c', command, '/dev/null'], options));
  }

  #environment(): Record<string, string> {
    const folders = {
      HOME: this.home,
      XDG_CONFIG_HOME: join(this.home, 'config'),
      XDG_STATE_HOME: join(this.home, 'state'),
    };
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
    return { PATH, NODE_COMPILE_CACHE, ...folders, ...this.#env };
  }

  run(...line: readonly string[]): Promise<Exit> {
    return this.start(line).ended;
  }

  /** The document of a run with --json. Throws with what it wrote when it failed. */
  async json<T>(...line: readonly string[]): Promise<T> {
    const { code, out, err } = await this.run(...line, '--json');
    if (code !== 0) throw new Error(`reelgraph ${line.join(' ')} ended with ${code}:\n${out}${err}`);
    return JSON.parse(out) as T; // its shape is the test's to look at
  }
}

function programOf(line: readonly string[]): [node: string, ...args: string[]] {
  return [process.execPath, builtProgram(), ...line];
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function watched(child: ChildProcessWithoutNullStreams): Running {
  const written = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    written.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    written.err += chunk.toString();
  });
  const ended = new Promise<Exit>((resolve) => child.once('close', (code) => resolve({ code, ...written })));
  return { child, output: () => ({ ...written }), ended };
}
