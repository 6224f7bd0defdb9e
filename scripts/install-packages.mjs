// Installs npm packages without disturbing a server that runs from them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fail, say } from './prerequisites.mjs';

/** What `npm ci` installs: runtime dependencies, or also the tools for checks and builds. */
const INSTALLS = {
  production: ['--omit=dev', '--workspace=server', '--workspace=web', '--include-workspace-root'],
  development: ['--include=dev'],
};

/** Names of folders beside `node_modules` in which packages are installed, and of replaced ones; with a process id. */
const ASIDE = /^\.node_modules-(?:new|old)-(\d+)$/;

/**
 * Installs the packages of the lock file into `root`, when it has changed or more is needed than is installed:
 * `production` or `development`. They are installed beside `node_modules` and then take its place, so that a server
 * which runs from it finds its files throughout. What an interrupted installation left is removed by the next one.
 */
export function installPackages(root, needed) {
  const modules = join(root, 'node_modules');
  const stamp = join(modules, '.reelgraph-lock');
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const [installedLock, installed] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : [];
  // Installed tools are kept: a start between two test runs does not remove them.
  const wanted = installed === 'development' ? installed : needed;
  if (installedLock === lock && installed === wanted) return;
  // The target folder of the link may be used by others.
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  say('Installing packages (once) …');
  removeAbandoned(root);
  const aside = join(root, `.node_modules-new-${process.pid}`);
  copyManifests(root, aside);
  const options = ['--prefix', aside, '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['ci', ...INSTALLS[wanted], ...options], {
    cwd: aside,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    rmSync(aside, { recursive: true, force: true });
    fail('npm ci failed; see above.');
  }
  writeFileSync(join(aside, 'node_modules', '.reelgraph-lock'), `${lock} ${wanted}`);
  replace(root, join(aside, 'node_modules'), installedLock === lock);
  rmSync(aside, { recursive: true, force: true });
}

/** What npm reads: the manifests of the repository and its workspaces, the lock file and the settings. */
export function copyManifests(root, aside) {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifests = workspaces.map((workspace) => join(workspace, 'package.json'));
  for (const file of ['package.json', 'package-lock.json', '.npmrc', ...manifests]) {
    mkdirSync(dirname(join(aside, file)), { recursive: true });
    cpSync(join(root, file), join(aside, file));
  }
}

/** Puts `installed` in the place of `node_modules`. Caches stay where the packages are the same. */
function replace(root, installed, keepsCaches) {
  const modules = join(root, 'node_modules');
  const old = join(root, `.node_modules-old-${process.pid}`);
  if (existsSync(modules)) renameSync(modules, old);
  renameSync(installed, modules);
  if (keepsCaches && existsSync(join(old, '.cache'))) renameSync(join(old, '.cache'), join(modules, '.cache'));
  rmSync(old, { recursive: true, force: true });
}

/** Removes what installations left that are not running any more. */
function removeAbandoned(root) {
  for (const name of readdirSync(root)) {
    const pid = Number(ASIDE.exec(name)?.[1]);
    if (pid > 0 && !isRunning(pid)) rmSync(join(root, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
  // A process that was killed exists until its parent asks how it ended.
  const stat = `/proc/${pid}/stat`;
  return !(existsSync(stat) && readFileSync(stat, 'utf8').includes(') Z '));
}
