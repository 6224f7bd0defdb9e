import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { AppError } from '../../../kernel/errors.ts';
import { until } from '../../../testing/until.ts';
import { createLogger } from '../../log.ts';
import { openDatabase } from '../database.ts';
import { sql } from '../statement.ts';
import { startLocalPostgres } from './local-postgres.ts';
import {
  findBinaries,
  isAlive,
  isReady,
  isRoot,
  runningServer,
  spawnUnprivileged,
  UNPRIVILEGED_ID,
} from './postgres-process.ts';
import { PostgresSupervisor } from './postgres-supervisor.ts';

describe('local PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-pg-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('runs below a private folder, keeps its password private, and keeps data after a clean stop', async () => {
    chmodSync(folder, 0o700);
    const first = await startLocalPostgres(join(folder, 'clean'));
    assert.equal(statSync(join(folder, 'clean', 'password')).mode & 0o777, 0o600);
    await query(first.url, 'create table kept as select 42 as answer');
    await first.stop();
    await assert.rejects(query(first.url, 'select 1'));
    const second = await startLocalPostgres(join(folder, 'clean'));
    assert.deepEqual(await query(second.url, 'select answer from kept'), [{ answer: 42 }]);
    await second.stop();
  });

  it('runs from a package below a private folder', THOROUGH, async () => {
    const { initdb } = await findBinaries();
    const copy = join(folder, 'package');
    cpSync(join(dirname(initdb), '..'), copy, { recursive: true });
    const data = join(folder, 'package-data');
    mkdirSync(data, { mode: 0o700 });
    if (isRoot()) chownSync(data, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
    const child = spawnUnprivileged(
      join(copy, 'bin', 'initdb'),
      ['-D', data, '--no-instructions', '--no-sync'],
      folder,
    );
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const [code] = await once(child, 'close');
    assert.equal(code, 0, output);
  });

  it('is adopted with its data after the process that started it was killed', THOROUGH, async () => {
    const home = join(folder, 'adopted');
    const code =
      `import { startLocalPostgres } from '${new URL('./local-postgres.ts', import.meta.url).href}'; ` +
      'console.log((await startLocalPostgres(process.argv[1])).url); setInterval(() => {}, 1000);';
    const starter = spawn(process.execPath, ['--input-type=module-typescript', '-e', code, home], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [url] = await once(starter.stdout, 'data');
    await query(String(url).trim(), 'create table kept as select 1 as n');
    starter.kill('SIGKILL');
    await once(starter, 'exit');
    const server = await startLocalPostgres(home);
    assert.equal(server.adopted, true);
    assert.deepEqual(await query(server.url, 'select n from kept'), [{ n: 1 }]);
    await server.stop();
  });

  it('recovers after the server itself was killed', THOROUGH, async () => {
    const home = join(folder, 'crashed');
    const first = await startLocalPostgres(home);
    await query(first.url, 'create table kept as select 7 as n');
    const { rows } = await raw(first.url, "select pg_read_file('postmaster.pid') as file");
    process.kill(Number(String(rows[0]?.file).split('\n')[0]), 'SIGKILL');
    const second = await startLocalPostgres(home);
    assert.equal(second.adopted, false);
    assert.deepEqual(await query(second.url, 'select n from kept'), [{ n: 7 }]);
    await second.stop();
  });

  it(
    'starts although its programs are killed as they appear: initdb, the server, and the server once it answers',
    THOROUGH,
    async () => {
      const home = join(folder, 'beset');
      const log = createLogger({ level: 'silent' });
      const starting = startLocalPostgres(home, { supervise: log });
      const killed: number[] = [];
      const kill = (pid: number) => {
        process.kill(pid, 'SIGKILL');
        killed.push(pid);
      };
      const file = join(home, 'data', 'postmaster.pid');
      const program = () => (existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0);
      const appears = async (is: (pid: number) => boolean) => {
        let pid = 0;
        await eventually(async () => {
          pid = program();
          return pid > 0 && !killed.includes(pid) && isAlive(pid) && is(pid);
        }, 'a program appears');
        return pid;
      };
      const isServer = (pid: number) => commandOf(pid).includes('listen_addresses');
      kill(await appears(() => true));
      kill(await appears(isServer));
      const last = await appears(isServer);
      const password = readFileSync(join(home, 'password'), 'utf8');
      const answering = async () =>
        isReady(`postgres://reelgraph:${password}@127.0.0.1:${runningServer(join(home, 'data'))?.port}/postgres`);
      await eventually(answering, 'the server answers');
      kill(last);
      const server = await starting;
      try {
        await eventually(() => isReady(server.url), 'it answers with the database of the platform');
        assert.equal(killed.length, 3);
        assert.deepEqual(await query(server.url, 'select current_database() as name'), [{ name: 'reelgraph' }]);
      } finally {
        await server.stop();
      }
    },
  );

  it('is restarted at its address when killed while supervised, and its clients continue', THOROUGH, async () => {
    const lines: string[] = [];
    const log = createLogger({ level: 'warn', destination: { write: (line) => void lines.push(line) } });
    const server = await startLocalPostgres(join(folder, 'supervised'), { supervise: log });
    const lost: Error[] = [];
    const db = openDatabase({ url: server.url, onError: (error) => lost.push(error) });
    try {
      await db.run(sql('make', 'create table kept as select 3 as n'), []);
      const busy = db.run(sql('busy', 'select pg_sleep(30)'), []);
      const held = db.transaction(async (tx) => {
        await tx.run(sql('unfinished', 'insert into kept values (4)'), []);
        await tx.run(sql('waiting', 'select pg_sleep(30)'), []);
      });
      const outcomes = Promise.allSettled([busy, held]);
      const sleeping = `select 1 from pg_stat_activity where query = 'select pg_sleep(30)' and state = 'active'`;
      await eventually(async () => (await query(server.url, sleeping)).length === 2, 'both are under way');
      const { rows } = await raw(server.url, "select pg_read_file('postmaster.pid') as file");
      process.kill(Number(String(rows[0]?.file).split('\n')[0]), 'SIGKILL');
      for (const outcome of await outcomes) {
        assert.ok(outcome.status === 'rejected' && outcome.reason instanceof AppError, 'what was under way fails');
        assert.equal(outcome.reason.code, 'SERVICE_UNAVAILABLE');
      }
      const read = () => db.run(sql('read', 'select n from kept'), []);
      await eventually(
        () =>
          read().then(
            () => true,
            () => false,
          ),
        'it answers again',
      );
      assert.deepEqual(await read(), [{ n: 3 }], 'committed data remains, the rest is gone');
      await db.transaction((tx) => tx.run(sql('add', 'insert into kept values (5)'), []));
      await eventually(async () => lines.some((line) => line.includes('is running again')), 'a log line');
    } finally {
      await db.close();
      await server.stop();
    }
    await untilSupervisorsLooked();
    await assert.rejects(query(server.url, 'select 1'), 'a server that was stopped stays stopped');
  });
});

/** Empty for a process that has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Until every supervisor has had its turn: another one, of a process that has ended, has restarted it twice. */
async function untilSupervisorsLooked(): Promise<void> {
  const ended = spawn('true');
  await once(ended, 'exit');
  let starts = 0;
  const start = async () => {
    starts += 1;
    return ended.pid ?? 0;
  };
  const supervisor = new PostgresSupervisor(ended.pid ?? 0, start, createLogger({ level: 'silent' }));
  await until(() => starts >= 2, 'the supervisor does not look');
  await supervisor.stop();
}

/** Waits long enough for a slow machine. */
async function eventually(holds: () => Promise<boolean>, what: string): Promise<void> {
  await until(holds, `not within a minute: ${what}`, 60_000);
}

async function query(url: string, text: string): Promise<unknown[]> {
  return (await raw(url, text)).rows;
}

async function raw(url: string, text: string): Promise<{ rows: Record<string, unknown>[] }> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}
