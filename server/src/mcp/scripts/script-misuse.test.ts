import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { casesOf } from '../../../../scripts/test-runner/cases.ts';
import { testRunner } from '../../media/testing.ts';
import { until } from '../../testing/until.ts';
import { SCRIPT_LIMITS, type ScriptLimits } from './script-limits.ts';
import { runScript, type ScriptAnswer, type ScriptCall, type ScriptEnd } from './script-process.ts';

const LIMITS: ScriptLimits = { ...SCRIPT_LIMITS, cpuMs: 300, wallMs: 8_000, memoryBytes: 16 * 1024 ** 2 };

interface Given {
  readonly limits?: Partial<ScriptLimits>;
  readonly signal?: AbortSignal;
  readonly answer?: (call: ScriptCall) => Promise<ScriptAnswer>;
}

function run(
  code: string,
  { limits = {}, signal = new AbortController().signal, answer }: Given = {},
): Promise<ScriptEnd> {
  return runScript(testRunner, {
    code,
    limits: { ...LIMITS, ...limits },
    signal,
    answer: answer ?? (async ({ name }) => ({ value: name })),
  });
}

async function returnedBy(code: string): Promise<unknown> {
  const end = await run(code);
  assert.equal(end.kind, 'done', JSON.stringify(end));
  return end.value;
}

describe('a script that looks for a way out', () => {
  it('finds no object of Node', async () => {
    assert.deepEqual(
      await returnedBy(`
        const names = ['process', 'require', 'module', 'fetch', 'setTimeout', 'setInterval', 'WebAssembly', 'Buffer',
          'navigator', 'std', 'os', 'send', 'end', 'prelude'];
        const roots = [Function, tools.get_me.constructor, console.log.constructor, all.constructor,
          (async () => {}).constructor, tools.get_me({}).constructor.constructor];
        const seen = names.filter((name) => typeof globalThis[name] !== 'undefined');
        for (const root of roots)
          seen.push((await root('return typeof process + typeof require')()).replaceAll('undefined', ''));
        return seen.filter((name) => name !== '');
      `),
      [],
    );
  });

  it('imports nothing', async () => {
    assert.deepEqual(
      await returnedBy(`
        const names = ['node:fs', 'fs', 'quickjs-wasi', './script-program.mjs', 'https://example.com/a.js',
          'data:text/javascript,1'];
        const found = await Promise.allSettled(names.map((name) => import(name)));
        return found.filter(({ status }) => status === 'fulfilled');
      `),
      [],
    );
  });

  it('ends the function around it and still finds nothing', async () => {
    const end = await run('}); globalThis.left = typeof process; (async () => {\nreturn globalThis.left;');
    assert.ok(end.kind === 'failed' || (end.kind === 'done' && end.value === 'undefined'), JSON.stringify(end));
  });

  it('changes prototypes only for itself', async () => {
    const calls: ScriptCall[] = [];
    const end = await run(
      `Object.prototype.isPaged = true; Object.prototype.polluted = 1; Array.prototype.map = () => ['x'];
       JSON.stringify = () => 'no'; Promise.prototype.catch = undefined; String.prototype.trim = null;
       await tools.get_me(JSON.parse('{"__proto__": {"a": 1}, "constructor": {"prototype": {"b": 2}}}'));
       return 1;`,
      {
        answer: async (call) => {
          calls.push(call);
          return { value: null };
        },
      },
    );
    assert.notEqual(end.kind, 'memory');
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
    for (const { arguments: given } of calls) assert.equal(Object.getPrototypeOf(given), Object.prototype);
    assert.deepEqual(await returnedBy('return [1, 2].map((n) => n + 1)'), [2, 3]);
  });

  it('sends no messages but calls of tools', async () => {
    const calls: ScriptCall[] = [];
    const answer = async (call: ScriptCall) => {
      calls.push(call);
      return { value: null };
    };
    await run(
      `await tools['get_me"}\\n{"done":1}\\n']({}); await tools.get_me('text'); await tools.get_me([1]); return 1`,
      {
        answer,
      },
    );
    const made = calls.map(({ name, arguments: given, isPaged }) => ({ name, arguments: given, isPaged }));
    assert.deepEqual(made, [
      { name: 'get_me"}\n{"done":1}\n', arguments: {}, isPaged: false },
      { name: 'get_me', arguments: {}, isPaged: false },
      { name: 'get_me', arguments: {}, isPaged: false },
    ]);
  });
});

describe('a script that takes too much', () => {
  const cases: readonly [
    what: string,
    code: string,
    kind: ScriptEnd['kind'] | RegExp,
    limits?: Partial<ScriptLimits>,
  ][] = [
    ['loops without an end', 'while (true) {}', 'cpu'],
    [
      'loops where it catches the interruption',
      'for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }',
      'cpu',
    ],
    ['loops after an await', 'await tools.get_me(); for (;;) {}', 'cpu'],
    ['loops in callbacks of promises', 'for (;;) await null;', 'cpu'],
    ['matches an expression for very long', `return /^(a+)+$/.test('a'.repeat(40) + 'b')`, 'cpu'],
    ['floods with promises', 'const p = () => Promise.resolve().then(p).then(p); await p()', /^(cpu|memory)$/],
    ['sorts what cannot be interrupted', 'const a = []; a.length = 4e9; a.sort()', 'wall', { wallMs: 1_500 }],
    ['fills the memory with a list', 'const a = []; for (;;) a.push("x".repeat(1000) + a.length)', /^(memory|cpu)$/],
    ['fills the memory at once', 'return "x".repeat(2 ** 29).length', 'memory'],
    ['calls itself without an end', 'const f = () => f() + 1; return f()', 'failed'],
    ['nests what it returns', 'let a = []; for (let n = 0; n < 1e5; n += 1) a = [a]; return a', /^(failed|cpu)$/],
    ['returns far too much', 'return "x".repeat(2e6)', 'output'],
    ['passes far too much', 'await tools.get_me({ text: "x".repeat(2e6) })', 'output'],
  ];
  for (const [what, code, kind, limits = {}] of casesOf(cases, 7))
    it(`is ended when it ${what}`, async () => {
      const end = await run(code, { limits });
      if (typeof kind === 'string') assert.equal(end.kind, kind, JSON.stringify(end).slice(0, 500));
      else assert.match(end.kind, kind);
    });

  it('logs only what fits', async () => {
    const end = await run('for (let n = 0; n < 1e3; n += 1) console.log("line", n); return 1');
    assert.equal(end.kind, 'done');
    assert.ok(end.logs.join('\n').length < LIMITS.logCharacters + 100);
    assert.match(end.logs.at(-1) ?? '', /^\(\d+ more lines\)$/);
  });

  it('has at most so many calls waiting and running', async () => {
    let [running, most, made] = [0, 0, 0];
    const answer = async () => {
      running += 1;
      made += 1;
      most = Math.max(most, running);
      do await new Promise(setImmediate);
      while (most < LIMITS.parallelCalls); // the first ones wait for each other
      running -= 1;
      return { value: 1 };
    };
    const end = await run(
      `const calls = []; for (let n = 0; n < 10000; n += 1) calls.push(tools.get_me());
       const ended = await Promise.allSettled(calls);
       return [ended.filter(({ status }) => status === 'fulfilled').length, ended.at(-1).reason.message];`,
      { answer, limits: { cpuMs: 5_000, wallMs: 60_000, memoryBytes: SCRIPT_LIMITS.memoryBytes } },
    );
    assert.equal(end.kind, 'done', JSON.stringify(end));
    assert.deepEqual(end.value, [501, 'At most 501 calls may wait at the same time.']);
    assert.deepEqual([most, made], [LIMITS.parallelCalls, 501]);
  });
});

describe('a script whose caller is gone', () => {
  it('is ended while it waits, and while it computes', async () => {
    for (const code of ['await tools.get_me()', 'await tools.get_me(); for (;;) {}']) {
      const gone = new AbortController();
      let isCalled = false;
      const answer = (): Promise<ScriptAnswer> => {
        isCalled = true;
        return code.endsWith('}') ? Promise.resolve({ value: 1 }) : new Promise(() => {});
      };
      const ended = run(code, { signal: gone.signal, answer, limits: { cpuMs: 60_000, wallMs: 60_000 } });
      await until(() => isCalled, 'the script calls');
      gone.abort();
      assert.deepEqual(await ended, { kind: 'cancelled' });
    }
    assert.deepEqual(await run('return 1', { signal: AbortSignal.abort() }), { kind: 'cancelled' });
  });
});
