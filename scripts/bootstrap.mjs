// Makes a fresh clone runnable, then runs the command. Uses nothing but Node >= 20 itself: it is what installs the
// rest.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './install-packages.mjs';
import { CHECK_FLAGS, MALLOC_SETTINGS, NODE_FLAGS } from './node-flags.mjs';
import {
  buildWeb,
  ensureBrowser,
  ensureProgram,
  ensureWheelTools,
  fail,
  offerHeic,
  offerSandbox,
  offerSrt,
} from './prerequisites.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MODULES = join(ROOT, 'node_modules');
const MINIMUM_NODE = 24;
const PARENT_POLL_MS = 500;

/** Requirements of each command besides the development packages, and its program. */
const COMMANDS = {
  start: { install: 'production', ffmpeg: true, sandbox: true, web: true, program: 'server/src/main.ts' },
  dev: { ffmpeg: true, sandbox: true, program: 'scripts/dev.ts' },
  admin: { install: 'production', program: 'server/src/admin.ts' },
  test: { program: 'scripts/check.ts' }, // which requires what the selected tests need
  'test-full': { program: 'scripts/check.ts', args: ['--full'] },
  'test-guards': { ffmpeg: true, program: 'scripts/test-guards.ts' },
  gen: { program: 'scripts/gen.ts' },
  'record-examples': { program: 'scripts/record-examples.ts' },
  release: { wheel: true, program: 'scripts/release.ts' },
  'release-schema': { program: 'scripts/release-schema.ts' },
  'snapshot-database': { program: 'scripts/snapshot-database.ts' },
  cli: { program: 'cli/src/main.ts' },
  'build-client': {
    program: 'node_modules/typescript/bin/tsc',
    args: ['-p', 'clients/typescript/tsconfig.build.json'],
  },
  'build-player': { program: 'node_modules/typescript/bin/tsc', args: ['-p', 'clients/player/tsconfig.build.json'] },
  'build-cli': { program: 'node_modules/rolldown/bin/cli.mjs', args: ['-c', 'cli/rolldown.config.mjs'] },
  'build-packages': { program: 'scripts/build-packages.ts' },
  'build-python': { wheel: true, program: 'scripts/build-python.ts' },
  bench: { ffmpeg: true, sandbox: true, program: 'bench/main.ts' },
  messages: { program: 'scripts/messages/update.ts' },
  components: { program: 'node_modules/vite/bin/vite.js', args: ['web', '--open', '/components.html'] },
  screenshots: { ffmpeg: true, sandbox: true, browser: true, web: true, program: 'e2e/screenshots.ts' },
};

const [name = 'start', ...args] = process.argv.slice(2);
const command = COMMANDS[name];
if (!command) fail(`Unknown command ${name}; one of ${Object.keys(COMMANDS).join(', ')}.`);
process.chdir(ROOT);
installPackages(ROOT, command.install ?? 'development');
const node = findNode();
if (command.ffmpeg) ensureProgram(process.env.FFMPEG_PATH ?? 'ffmpeg', 'ffmpeg');
if (command.sandbox) {
  offerSandbox();
  offerHeic();
  if (process.env.SRT_PORTS) offerSrt();
}
if (command.browser) ensureBrowser();
if (command.wheel) ensureWheelTools();
if (command.web) buildWeb(node);
run(command.program, [...(command.args ?? []), ...args]);

/** The Node that runs TypeScript: this one, or the one from npm. */
function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= MINIMUM_NODE) return process.execPath;
  const bundled = join(MODULES, '.bin', 'node');
  const runs = () => {
    const { status, stdout } = spawnSync(bundled, ['--version'], { encoding: 'utf8' });
    return status === 0 && Number(stdout.slice(1).split('.')[0]) >= MINIMUM_NODE;
  };
  // `npm install` of anything prunes the binary that the package's own install script fetched.
  if (runs() || (spawnSync('npm', ['rebuild', 'node'], { stdio: 'ignore' }).status === 0 && runs())) return bundled;
  return fail(
    `Node ${MINIMUM_NODE} or newer is needed: this is ${process.version}, and the copy from npm does not run here.`,
  );
}

/** The shell of npm's scripts, and npm above it: this changes when either dies. */
function ancestry() {
  const stat = `/proc/${process.ppid}/stat`;
  const above = existsSync(stat) ? readFileSync(stat, 'utf8').split(') ').pop().split(' ')[1] : '';
  return `${process.ppid} ${above}`;
}

/**
 * Runs the program and exits with its status. Ctrl-C reaches the program through the terminal; other signals are
 * forwarded. The program notices by its IPC channel when this process dies, and this process monitors npm, so that
 * killing any of them never leaves a platform running.
 */
function run(program, args) {
  const isCheck = program === COMMANDS.test.program;
  const env = {
    ...(isCheck ? {} : MALLOC_SETTINGS),
    ...process.env,
    PATH: [join(MODULES, '.bin'), process.env.PATH].join(delimiter),
    NODE_ENV: process.env.NODE_ENV ?? 'production',
    // The compile cache is shared between processes: a start takes a third less time.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(MODULES, '.cache', 'compiled'),
  };
  const child = spawn(node, [...(isCheck ? CHECK_FLAGS : NODE_FLAGS), program, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  });
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'));
  if (process.env.npm_lifecycle_event) {
    const npm = ancestry();
    setInterval(() => ancestry() !== npm && child.connected && child.disconnect(), PARENT_POLL_MS).unref();
  }
  child.on('error', (error) => fail(error.message));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}
