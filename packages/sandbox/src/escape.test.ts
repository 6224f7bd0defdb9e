import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { SANDBOX_UIDS } from './core/sandbox.ts';

/** An unused user other than root. */
const NORMAL_UID = 65_533;
const DRIVER = join(import.meta.dirname, 'escape-driver.fixture.ts');
const isRoot = process.getuid?.() === 0;
const platformUsers = isRoot ? [0, NORMAL_UID] : [process.getuid?.() ?? NORMAL_UID];

interface Probed {
  readonly attempts: Record<string, string>;
  readonly facts: {
    readonly uid: number;
    readonly uidOutside: number;
    readonly processes: number;
    readonly root: string[];
    readonly interfaces: string[];
    readonly capabilities: number[];
    readonly noNewPrivileges: string;
    readonly seccomp: string;
    readonly maxProcesses: number;
  };
}

const ALLOWED = ['read the input', 'write to the work folder'];
/** Only a filter of system calls prevents it; a link is never adopted. */
const NEEDS_SECCOMP = 'leave a link';

for (const uid of platformUsers) {
  for (const method of ['bubblewrap', 'unshare'] as const) {
    describe(`${method}, started by ${uid === 0 ? 'root' : 'a normal user'}`, { skip: missing(uid, method) }, () => {
      let folder: string;
      let sleeper: ChildProcess;
      let response: {
        printed: string;
        sandbox: { method: string; protections: Record<string, boolean> };
        left: { name: string; uid: number; mode: number }[];
      };
      let probed: Probed;
      let connections = 0;
      const servers: Server[] = [];
      before(async () => {
        folder = await mkdtemp(join(tmpdir(), 'sandbox-escape-'));
        const secret = join(folder, 'secret-key');
        const otherFolder = join(folder, 'objects', 'other-channel');
        const otherFile = join(otherFolder, 'private.mp4');
        const input = join(folder, 'input.mp4');
        await mkdir(otherFolder, { recursive: true });
        for (const path of [secret, otherFile, input]) await writeFile(path, 'private', { mode: 0o600 });
        for (const path of [folder, secret, join(folder, 'objects'), otherFolder, otherFile, input])
          await chown(path, uid, uid);
        await chmod(folder, 0o755);
        sleeper = spawn('sleep', ['60'], isRoot ? { uid, gid: uid } : {});
        const abstractSocket = `\0sandbox-escape-${process.pid}-${uid}-${method}`;
        const port = await listening(0, servers, () => (connections += 1));
        await listening(abstractSocket, servers, () => (connections += 1));
        const plan = { secret, otherFolder, otherFile, pid: sleeper.pid, port, abstractSocket };
        const printed = await driverOutput(uid, [method, join(folder, 'work'), input, JSON.stringify(plan)]);
        response = JSON.parse(printed);
        assert.notEqual(response.printed, '', printed);
        probed = JSON.parse(response.printed);
      });
      after(async () => {
        sleeper?.kill('SIGKILL');
        for (const server of servers) server.close();
        await rm(folder, { recursive: true, force: true });
      });

      it('has the reported and requested isolation', () => {
        assert.equal(response.sandbox.method, method);
        const { seccomp, ...others } = response.sandbox.protections;
        assert.deepEqual(Object.values(others), [true, true, true, true, true]);
        assert.equal(seccomp, method === 'bubblewrap');
      });

      it('reads its input and writes to its work folder only', () => {
        for (const [attempt, came] of Object.entries(probed.attempts)) {
          if (ALLOWED.includes(attempt)) assert.equal(came, 'done', attempt);
          else if (attempt !== NEEDS_SECCOMP || method === 'bubblewrap') assert.notEqual(came, 'done', attempt);
        }
        assert.ok(Object.keys(probed.attempts).length > 15);
      });

      it('changed nothing else', async () => {
        assert.deepEqual((await readdir(folder)).sort(), ['input.mp4', 'objects', 'secret-key', 'work']);
        for (const name of ['secret-key', 'input.mp4', 'objects/other-channel/private.mp4']) {
          assert.equal(await readFile(join(folder, name), 'utf8'), 'private');
          const status = await stat(join(folder, name));
          assert.deepEqual([status.uid, status.gid, status.mode & 0o777], [uid, uid, 0o600], name);
        }
        assert.equal(sleeper.exitCode ?? sleeper.signalCode, null);
        assert.equal(connections, 0);
      });

      it('sees no process and no file system but its own', () => {
        const { processes, root, interfaces } = probed.facts;
        assert.ok(processes <= 3, `${processes}`);
        assert.deepEqual(
          root.filter(
            (name) =>
              !['.sandbox', 'dev', 'etc', 'lib', 'lib64', 'old', 'proc', 'usr'].includes(name) &&
              !import.meta.dirname.startsWith(`/${name}/`) &&
              !process.execPath.startsWith(`/${name}/`),
          ),
          [],
        );
        assert.deepEqual(
          interfaces.filter((name) => name !== 'lo'),
          [],
        );
      });

      it('has no privileges', () => {
        assert.ok(probed.facts.maxProcesses <= 2048, `${probed.facts.maxProcesses}`);
        const { capabilities, noNewPrivileges, seccomp, uidOutside } = probed.facts;
        assert.deepEqual(capabilities, [0, 0, 0, 0, 0]);
        assert.equal(noNewPrivileges, '1');
        // Only root can be another user outside.
        if (uid === 0)
          assert.ok(
            uidOutside >= SANDBOX_UIDS.first && uidOutside < SANDBOX_UIDS.first + SANDBOX_UIDS.count,
            `${uidOutside}`,
          );
        assert.equal(seccomp, method === 'bubblewrap' ? '2' : '0');
      });

      it('leaves files that belong to the platform alone', () => {
        assert.deepEqual(response.left, [{ name: 'written', uid, mode: 0o600 }]);
      });
    });
  }
}

/** Why it is skipped here, or false. */
function missing(uid: number, method: 'bubblewrap' | 'unshare'): string | false {
  const program = method === 'bubblewrap' ? 'bwrap' : 'unshare';
  if (spawnSync(program, ['--version']).status !== 0) return `${program} is not installed`;
  if (process.getuid?.() === uid) return false;
  const args = ['--reuid', `${uid}`, '--regid', `${uid}`, '--clear-groups', process.execPath, '--check', DRIVER];
  if (spawnSync('setpriv', args).status !== 0) return 'another user cannot read this checkout';
  return false;
}

async function driverOutput(uid: number, args: readonly string[]): Promise<string> {
  const asUser =
    process.getuid?.() === uid ? [] : ['setpriv', '--reuid', `${uid}`, '--regid', `${uid}`, '--clear-groups', '--'];
  const [command = process.execPath, ...rest] = [...asUser, process.execPath, DRIVER, ...args];
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk));
  const code = await new Promise((ended) => child.on('close', ended));
  assert.equal(code, 0, err);
  return out;
}

async function listening(at: number | string, servers: Server[], onConnection: () => void): Promise<number> {
  const server = createServer((socket) => {
    onConnection();
    socket.destroy();
  });
  servers.push(server);
  await new Promise<void>((done) =>
    typeof at === 'number' ? server.listen(at, '127.0.0.1', done) : server.listen(at, done),
  );
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
