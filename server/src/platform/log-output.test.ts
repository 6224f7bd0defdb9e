import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from './log.ts';
import { openLogOutput } from './log-output.ts';

const MODULES = ['log.ts', 'log-output.ts'].map((file) => new URL(`./${file}`, import.meta.url).href);
const PROGRAM = `import { createLogger } from '${MODULES[0]}'; import { openLogOutput } from '${MODULES[1]}';
  const output = openLogOutput(); process.on('exit', () => output.flushSync());
  const log = createLogger({ level: 'info', destination: output });`;

describe('the output of the log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-log-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('buffers a line for less than a second, and writes it automatically', async () => {
    const file = join(folder, 'held');
    const fd = openSync(file, 'w');
    const log = createLogger({ level: 'info', destination: openLogOutput(fd) });
    log.info('one');
    log.info('two');
    assert.equal(readFileSync(file, 'utf8'), '');
    const deadline = Date.now() + 1_000;
    while (readFileSync(file, 'utf8') === '' && Date.now() < deadline) await sleep(20);
    assert.deepEqual(messages(readFileSync(file, 'utf8')), ['one', 'two']);
    closeSync(fd);
  });

  it('keeps lines in order through overlapping writes, and writes all on flush', async () => {
    const file = join(folder, 'many');
    const fd = openSync(file, 'w');
    const output = openLogOutput(fd);
    const log = createLogger({ level: 'info', destination: output });
    for (let n = 0; n < 20_000; n += 1) {
      log.info(`ä${n}`);
      if (n % 1_000 === 0) await sleep(1);
    }
    await output.flush();
    assert.deepEqual(
      messages(readFileSync(file, 'utf8')),
      Array.from({ length: 20_000 }, (_, n) => `ä${n}`),
    );
    closeSync(fd);
  });

  for (const [how, ending] of [
    ['a flush and an exit', 'await output.flush(); process.exit(0);'],
    ['an exit alone', 'process.exit(0);'],
    ['an uncaught exception', "throw new Error('lost');"],
    ['nothing left to do', ''],
  ] as const) {
    it(`loses no line when the process ends by ${how}`, async () => {
      const child = run(
        `log.info('first'); for (let n = 0; n < 30; n += 1) log.info('x'.repeat(100)); log.info('last'); ${ending}`,
      );
      const found = messages(await text(child.stdout));
      assert.equal(found.length, 32);
      assert.deepEqual([found[0], found[31]], ['first', 'last']);
    });
  }

  it('lets the process run and exit when the reader is gone', async () => {
    const child = run(
      `let ticks = 0;
       const timer = setInterval(async () => {
         log.info('tick');
         if (++ticks < 50) return;
         clearInterval(timer); await output.flush(); log.info('late'); process.exit(7);
       }, 10);`,
    );
    child.stdout.destroy();
    const [code] = await once(child, 'exit');
    assert.equal(code, 7);
  });

  it('drops and counts lines when the reader stalls', async () => {
    const file = join(folder, 'bounded');
    const fd = openSync(file, 'w');
    const output = openLogOutput(fd, { maxLength: 1_000 });
    for (let n = 0; n < 50; n += 1) output.write(`{"msg":"${'y'.repeat(88)}"}\n`);
    await output.flush();
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    assert.equal(lines.length, 11);
    assert.equal(JSON.parse(lines[10] ?? '').dropped, 40);
    closeSync(fd);
  });
});

function run(code: string) {
  return spawn(process.execPath, ['--input-type=module-typescript', '-e', `${PROGRAM} ${code}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function messages(lines: string): string[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg); // written by the logger
}
