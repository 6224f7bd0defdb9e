// Runs inside the sandbox and tries to escape: prints the result of each attempt as JSON. Plain JavaScript and node:
// modules only.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';

const plan = JSON.parse(process.argv[2]);

/** Result of an attempt: `done`, or the error code. */
function outcome(attempt) {
  try {
    attempt();
    return 'done';
  } catch (error) {
    return error.code ?? String(error);
  }
}

function connection(target) {
  return new Promise((resolve) => {
    const done = (result) => {
      socket.destroy();
      resolve(result);
    };
    const socket = connect(target);
    socket.on('connect', () => done('done'));
    socket.on('error', (error) => done(error.code ?? String(error)));
  });
}

function statusOf(name) {
  return new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
}

/** Empty where not even that may be asked. */
function interfaceNames() {
  try {
    return Object.keys(networkInterfaces());
  } catch {
    return [];
  }
}

/** The user outside: what /proc/self/uid_map makes of this one (user_namespaces(7)). */
function uidOutside() {
  const uid = process.getuid();
  for (const line of readFileSync('/proc/self/uid_map', 'utf8').trim().split('\n')) {
    const [inside, outside, count] = line.trim().split(/\s+/).map(Number);
    if (uid >= inside && uid < inside + count) return outside + uid - inside;
  }
  return null;
}

const attempts = {
  'read the input': outcome(() => readFileSync(plan.input)),
  'write to the work folder': outcome(() => writeFileSync(`${plan.work}/written`, 'written')),
  'write to the input': outcome(() => writeFileSync(plan.input, 'x')),
  'read the secret': outcome(() => readFileSync(plan.secret)),
  'read the secret by way of another process': outcome(() => readFileSync(`/proc/1/root${plan.secret}`)),
  'write beside the secret': outcome(() => writeFileSync(`${plan.secret}.x`, 'x')),
  "list another channel's files": outcome(() => readdirSync(plan.otherFolder)),
  "read another channel's file": outcome(() => readFileSync(plan.otherFile)),
  'write to the root': outcome(() => writeFileSync('/x', 'x')),
  'write to a world-writable folder': outcome(() => writeFileSync('/tmp/x', 'x')),
  'write to /dev': outcome(() => writeFileSync('/dev/x', 'x')),
  'write over a library': outcome(() => writeFileSync('/etc/ld.so.cache', 'x')),
  'see the process': outcome(() => readdirSync(`/proc/${plan.pid}`)),
  'signal the process': outcome(() => process.kill(plan.pid, 0)),
  'signal the platform': outcome(() => process.kill(plan.platform, 0)),
  'become root': outcome(() => {
    process.setuid(0);
    readFileSync('/etc/shadow');
  }),
  'make a user namespace':
    spawnSync(plan.unshare, ['--user', '--map-root-user', plan.node, '--version']).status === 0 ? 'done' : 'refused',
  'make a mount namespace':
    spawnSync(plan.unshare, ['--mount', plan.node, '--version']).status === 0 ? 'done' : 'refused',
  'connect to loopback': await connection({ host: '127.0.0.1', port: plan.port }),
  'connect to a socket without a file': await connection({ path: plan.abstractSocket }),
  'leave a link': outcome(() => symlinkSync('/etc/passwd', `${plan.work}/link`)),
};
const facts = {
  uid: process.getuid(),
  uidOutside: uidOutside(),
  processes: readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length,
  root: readdirSync('/'),
  interfaces: interfaceNames(),
  capabilities: ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((name) => Number.parseInt(statusOf(name), 16)),
  noNewPrivileges: statusOf('NoNewPrivs'),
  seccomp: statusOf('Seccomp'),
  maxProcesses: Number(/^Max processes +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]),
};
process.stdout.write(JSON.stringify({ attempts, facts }));
