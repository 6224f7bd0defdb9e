// What a command needs besides the npm packages. Uses nothing but Node >= 20 itself, as bootstrap.mjs does, which is
// the first to ask.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const HEADLESS_SHELL = 'chromium-headless-shell';

export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** Ends the process. */
export function fail(text) {
  say(text);
  process.exit(1);
}

/** Installs a Debian package as root on Debian; otherwise prints in one line what is missing. */
export function ensureProgram(program, debianPackage) {
  ensurePackage(debianPackage, program, () => isRunnable(program));
}

function ensurePackage(debianPackage, program, runs) {
  if (runs()) return;
  if (!isRootOnDebian())
    fail(
      `${debianPackage} is missing. Install it (for example: sudo apt-get install ${debianPackage}) and run this ` +
        'again.',
    );
  if (!installPackage(debianPackage)) fail(`apt-get install ${debianPackage} failed; see above.`);
  if (!runs()) fail(`${program} does not run although ${debianPackage} is installed.`);
}

/** As `ensureProgram`, for optional programs, which the platform reports as missing itself. */
function offerProgram(program, debianPackage, { flag, without }) {
  if (process.platform !== 'linux' || isRunnable(program, flag)) return;
  if (!isRootOnDebian() || !installPackage(debianPackage))
    say(`${debianPackage} is missing: ${without}. Install it (for example: sudo apt-get install ${debianPackage}).`);
}

/** bubblewrap, for the sandbox of media tools. */
export function offerSandbox() {
  const without = 'media tools are less isolated without it';
  offerProgram('bwrap', 'bubblewrap', { flag: '--version', without });
}

/** libheif's programs, for HEIC photos. */
export function offerHeic() {
  if (isRunnable('heif-dec', '--help')) return;
  offerProgram('heif-convert', 'libheif-examples', { flag: '--help', without: 'HEIC photos are refused' });
}

/** The program that receives SRT. */
export function offerSrt() {
  offerProgram('srt-live-transmit', 'srt-tools', { flag: '-version', without: 'SRT cannot be received' });
}

/**
 * Chromium for journeys. Debian's `chromium-headless-shell` is the same engine without windows, which takes a third
 * less CPU; `chromium` where that cannot be had.
 */
export function ensureBrowser() {
  if (isRunnable(HEADLESS_SHELL, '--version')) return;
  if (isRootOnDebian() && installPackage(HEADLESS_SHELL)) return;
  ensureProgram('chromium', 'chromium');
}

/** What broadcasts are tested with: Debian packages, each with a command that succeeds once it is installed. */
const ENCODERS = {
  'obs-studio': ['obs', '--version'],
  xvfb: ['Xvfb', '-help'],
  'gstreamer1.0-tools': ['gst-launch-1.0', '--version'],
  'gstreamer1.0-plugins-good': ['gst-inspect-1.0', '--exists', 'matroskademux'],
  'gstreamer1.0-plugins-bad': ['gst-inspect-1.0', '--exists', 'rtmp2sink'],
  'gstreamer1.0-plugins-ugly': ['gst-inspect-1.0', '--exists', 'x264enc'],
};

/** What the examples of deployment are tested with, in the same form. */
const DEPLOYMENT = {
  'nginx-core': ['nginx', '-v'],
  'libnginx-mod-stream': ['test', '-e', '/usr/lib/nginx/modules/ngx_stream_module.so'],
  caddy: ['caddy', 'version'],
  systemd: ['systemd-analyze', '--version'],
};

/** What builds and runs images without a daemon, and a base for them without a registry. */
const CONTAINERS = {
  buildah: ['buildah', '--version'],
  podman: ['podman', '--version'],
  runc: ['runc', '--version'],
  mmdebstrap: ['mmdebstrap', '--version'],
};

/** OBS Studio, with a screen for it, and GStreamer. */
export function ensureEncoders() {
  ensurePackages(ENCODERS);
}

/** Proxies, and what reads units of systemd. */
export function ensureDeployment() {
  ensurePackages(DEPLOYMENT);
}

/** Programs for images. */
export function ensureContainers() {
  ensurePackages(CONTAINERS);
}

function ensurePackages(commands) {
  for (const [debianPackage, [program, ...args]] of Object.entries(commands))
    ensurePackage(debianPackage, program, () => spawnSync(program, args, { stdio: 'ignore' }).status === 0);
}

/** HAProxy, for restarts behind it. */
export function ensureProxy() {
  ensurePackage('haproxy', 'haproxy', () => isRunnable('haproxy', '-v'));
}

/** Debian's Python, for which apt has the packages; elsewhere the one on the PATH. */
export const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
/** What the tests of the Python client import, by the Debian package that has it. */
const PYTHON_PACKAGES = { 'python3-httpx': 'httpx' };
/** What builds a wheel. */
const WHEEL_TOOLS = { 'python3-pip': 'pip', 'python3-setuptools': 'setuptools', 'python3-wheel': 'wheel' };
/** What the tests need to check types, and to build and install a wheel, too. */
const PYTHON_TOOLS = { mypy: 'mypy', 'python3-venv': 'ensurepip', ...WHEEL_TOOLS };

/** Python 3.11 with what the tests of the Python client need; `full`: with the tools of the full tests, too. */
export function ensurePython({ full }) {
  ensurePythonPackages({ ...PYTHON_PACKAGES, ...(full ? PYTHON_TOOLS : {}) });
}

/** Python 3.11 with what builds a wheel. */
export function ensureWheelTools() {
  ensurePythonPackages(WHEEL_TOOLS);
}

function ensurePythonPackages(wanted) {
  const packages = Object.entries(wanted);
  const missing = () => packages.filter(([, module]) => !canImport(module)).map(([name]) => name);
  const lacking = canImport('tomllib') ? missing() : ['python3', ...packages.map(([name]) => name)];
  if (lacking.length === 0) return;
  if (!isRootOnDebian())
    fail(`Python 3.11 with ${lacking.join(', ')} is missing: install the packages and run this again.`);
  for (const name of lacking) if (!installPackage(name)) fail(`apt-get install ${name} failed; see above.`);
  if (missing().length > 0) fail(`${PYTHON} cannot import ${missing().join(', ')} although they are installed.`);
}

/** `tomllib` came with Python 3.11. */
function canImport(module) {
  return spawnSync(PYTHON, ['-c', `import ${module}`], { stdio: 'ignore' }).status === 0;
}

function isRootOnDebian() {
  return process.getuid?.() === 0 && isRunnable('apt-get', '--version');
}

/** Whether apt-get could install it. */
function installPackage(debianPackage) {
  say(`Installing ${debianPackage} (once) …`);
  const apt = (...rest) =>
    spawnSync('apt-get', ['-qq', '-y', ...rest], {
      stdio: ['ignore', 'ignore', 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  const install = () => apt('install', '--no-install-recommends', debianPackage);
  return install() || (apt('update') && install());
}

function isRunnable(program, flag = program === 'chromium' ? '--version' : '-version') {
  return spawnSync(program, [flag], { stdio: 'ignore' }).status === 0;
}

/**
 * Builds the web application when its sources changed since the last build. Platforms that run serve it meanwhile: the
 * build takes place aside.
 */
export function buildWeb(node = process.execPath) {
  const dist = join(ROOT, 'web', 'dist');
  const stamp = join(dist, '.built-from');
  const fresh = join(dist, '.fresh'); // names with a dot are not served
  const digest = digestOf([
    'web/src',
    'web/i18n',
    'web/messages',
    'web/public',
    'web/build.ts',
    'web/chunks.ts',
    'web/index.html',
    'web/embed.html',
    'web/graphiql.html',
    'web/vite.config.ts',
    'clients/player/src',
    'package-lock.json',
  ]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  say('Building the web application (once) …');
  if (spawnSync(node, [join(ROOT, 'web', 'build.ts'), fresh], { stdio: ['ignore', 2, 2] }).status !== 0)
    fail('The web application does not build; see above.');
  replaceBuild(fresh, dist);
  writeFileSync(stamp, digest);
}

const DAY_MS = 86_400_000;

/**
 * Moves a build to where it is served from, so that every page finds its assets at any moment: assets come before the
 * pages that name them, and those of builds of the last day stay for pages that are open.
 */
export function replaceBuild(fresh, dist) {
  const assets = join(dist, 'assets');
  const freshAssets = readdirSync(join(fresh, 'assets'));
  mkdirSync(assets, { recursive: true });
  for (const name of freshAssets) renameSync(join(fresh, 'assets', name), join(assets, name));
  rmSync(join(fresh, 'assets'), { recursive: true });
  for (const name of readdirSync(fresh)) renameSync(join(fresh, name), join(dist, name));
  rmSync(fresh, { recursive: true });
  for (const name of readdirSync(assets)) {
    const path = join(assets, name);
    if (!freshAssets.includes(name) && statSync(path).mtimeMs < Date.now() - DAY_MS) rmSync(path);
  }
}

function digestOf(paths) {
  const hash = createHash('sha256');
  const visit = (path) => {
    if (!existsSync(path)) return;
    if (path.endsWith('types.gen.ts')) return; // of compilers and editors only
    if (statSync(path).isDirectory()) for (const entry of readdirSync(path).sort()) visit(join(path, entry));
    else hash.update(path).update(readFileSync(path));
  };
  for (const path of paths) visit(path);
  return hash.digest('hex');
}
