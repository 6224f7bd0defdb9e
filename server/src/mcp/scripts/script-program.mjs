// @ts-check
/**
 * Runs one script of an agent in QuickJS, compiled to WebAssembly, and exits. It runs in the sandbox without network,
 * files and secrets, and communicates by lines of JSON over standard input and output; the other end is
 * script-process.ts, which makes the calls and trusts nothing that comes from here. Only text passes between the script
 * and this program, so that no object of Node is within its reach.
 */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { createInterface } from 'node:readline';
import { QuickJS } from 'quickjs-wasi';

/** @typedef {{ code: string, memoryBytes: number, stackBytes: number, cpuMs: number, maxWaiting: number,
 * maxLogs: number }} Order */
/** @typedef {{ name?: string, message: string, stack?: string, code?: string }} Failure */

const FILE = 'script.js';

/** The functions that run in QuickJS, as source text. */
const PRELUDE = [prelude, createCalls, createLog, pageIn, textOf];

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const wasm = readFileSync(new URL(import.meta.resolve('quickjs-wasi/quickjs.wasm')));
const { value } = await lines.next();
if (value !== undefined) await run(JSON.parse(value));
process.stdout.end(() => process.exit(0));

/** @param {Order} order */
async function run({ code, memoryBytes, stackBytes, cpuMs, maxWaiting, maxLogs }) {
  const begun = usedCpuMs();
  let isOver = false;
  const vm = await QuickJS.create({
    wasm,
    memoryLimit: memoryBytes,
    maxStackSize: stackBytes,
    timezoneOffset: 0,
    interruptHandler: () => (isOver ||= usedCpuMs() - begun > cpuMs),
  });
  let calls = 0;
  let answers = 0;
  let isDone = false;
  const send = vm.newFunction('send', (call) => {
    if (calls - answers >= maxWaiting) throw new Error(`At most ${maxWaiting} calls may wait at the same time.`);
    calls += 1;
    process.stdout.write(`${call?.toString() ?? ''}\n`);
    return vm.undefined;
  });
  const end = vm.newFunction('end', (result) => {
    if (!isDone) process.stdout.write(`${result?.toString() ?? ''}\n`);
    isDone = true;
    return vm.undefined;
  });
  /** @param {unknown} error */
  const fail = (error) => {
    const { name, message, stack } = failureOf(error);
    isDone = true;
    process.stdout.write(
      `${JSON.stringify({ failed: isOver ? { name: 'Timeout', message: '' } : { name, message, stack } })}\n`,
    );
  };
  try {
    const prepare = vm.evalCode(`(() => {\n${PRELUDE.map(String).join('\n')}\nreturn prelude;\n})()`, 'prelude');
    const { settle, start } = handlesOf(vm.callFunction(prepare, vm.undefined, send, end, vm.newNumber(maxLogs)));
    vm.callFunction(start, vm.undefined, compile(vm, code));
    vm.executePendingJobs();
    while (!isDone && !isOver && answers < calls) {
      const { value: answer } = await lines.next();
      if (answer === undefined) return;
      answers += 1;
      const text = vm.newString(answer);
      vm.callFunction(settle, vm.undefined, text).dispose();
      text.dispose();
      vm.executePendingJobs();
    }
    if (isOver && !isDone) fail(null);
    if (!isDone) fail(new Error('The script waits for something that never happens.'));
  } catch (error) {
    if (!isDone) fail(error);
  }

  /** @param {import('quickjs-wasi').JSValueHandle} object */
  function handlesOf(object) {
    return { settle: object.getProp('settle'), start: object.getProp('start') };
  }
}

/**
 * The script as an async function. The types of TypeScript are removed only where it does not compile without: that
 * takes much longer than to run most scripts.
 *
 * @param {QuickJS} vm
 * @param {string} code
 */
function compile(vm, code) {
  const wrapped = (/** @type {string} */ body) => `(async () => {\n${body}\n})`;
  try {
    return vm.evalCode(wrapped(code), FILE);
  } catch (error) {
    if (failureOf(error).name !== 'SyntaxError') throw error;
    let stripped;
    try {
      stripped = stripTypeScriptTypes(wrapped(code));
    } catch {
      throw error;
    }
    return vm.evalCode(stripped, FILE);
  }
}

/**
 * @param {unknown} error
 * @returns {Failure}
 */
function failureOf(error) {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack = '' } = error;
  return { name, message, stack };
}

/** Milliseconds of CPU time that this process has used. */
function usedCpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * What a script finds: `tools`, `all`, `query` and `console`. It is evaluated in QuickJS together with the functions
 * that it uses, where nothing else exists.
 *
 * @param {(call: string) => void} send
 * @param {(result: string) => void} end
 * @param {number} maxLogs
 */
function prelude(send, end, maxLogs) {
  const { stringify } = JSON;
  const { ApiError, call, settle } = createCalls(send);
  const { log, written } = createLog(maxLogs);

  const tools = new Proxy(
    {},
    {
      // It is no promise, though it is asked for `then`.
      get: (_, name) =>
        typeof name === 'string' && name !== 'then'
          ? (/** @type {unknown} */ args) => call(name, args, false)
          : undefined,
    },
  );

  /** @param {string} document @param {object} [variables] */
  const query = (document, variables) => call('graphql_query', { query: document, variables: variables ?? {} }, false);

  /** @param {string} name @param {object} [args] @param {number} [limit] */
  const all = async (name, args, limit = 1000) => {
    /** @type {unknown[]} */
    const items = [];
    let after;
    for (;;) {
      const page = pageIn(await call(name, after === undefined ? (args ?? {}) : { ...args, after }, true));
      if (!page) throw new TypeError(`${name} does not return a page of items.`);
      for (const item of page.items) items.push(item);
      if (typeof page.next !== 'string' || items.length >= limit) return items.slice(0, limit);
      after = page.next;
    }
  };

  /** @param {() => Promise<unknown>} script */
  const start = (script) => {
    script()
      .then((value) => end(stringify({ done: value === undefined ? null : value, logs: written() })))
      .catch((error) => {
        const { name, message, stack, code } = error instanceof Error ? /** @type {any} */ (error) : {};
        const said = error instanceof Error ? { name, message, stack, code } : { message: textOf(error) };
        end(stringify({ failed: said, logs: written() }));
      });
  };

  Object.assign(globalThis, { tools, all, query, ApiError, console: { log, info: log, warn: log, error: log } });
  return { settle, start };
}

/**
 * Calls of the script, which wait for their answers. Runs in QuickJS.
 *
 * @param {(call: string) => void} send
 */
function createCalls(send) {
  const { parse, stringify } = JSON;
  /** @type {Map<number, { resolve: (value: unknown) => void, reject: (error: unknown) => void }>} */
  const waiting = new Map();
  let next = 0;

  class ApiError extends Error {
    /** @param {{ message: string, code: string }} failure @param {string | undefined} stack */
    constructor({ message, code }, stack) {
      super(message);
      this.name = 'ApiError';
      this.code = code;
      this.stack = stack ?? '';
    }
  }

  /** @param {string} name @param {unknown} args @param {boolean} isPaged */
  const call = (name, args, isPaged) => {
    const { stack } = new Error();
    return new Promise((resolve, reject) => {
      const id = next;
      next += 1;
      waiting.set(id, { resolve, reject: (failure) => reject(new ApiError(/** @type {never} */ (failure), stack)) });
      send(stringify({ call: id, name, args: args ?? {}, isPaged }));
    });
  };

  /** @param {string} answer */
  const settle = (answer) => {
    const { id, value, error } = parse(answer);
    const call = waiting.get(id);
    waiting.delete(id);
    if (error) call?.reject(error);
    else call?.resolve(value);
  };

  return { ApiError, call, settle };
}

/**
 * What the script writes to its console, up to this many characters. Runs in QuickJS.
 *
 * @param {number} maxLogs
 */
function createLog(maxLogs) {
  /** @type {string[]} */
  const logs = [];
  let logged = 0;
  let lost = 0;

  /** @param {unknown[]} values */
  const log = (...values) => {
    const line = values.map((value) => (typeof value === 'string' ? value : textOf(value))).join(' ');
    if (logged + line.length > maxLogs) {
      lost += 1;
      return;
    }
    logged += line.length + 1;
    logs.push(line);
  };

  const written = () => (lost === 0 ? logs : [...logs, `(${lost} more lines)`]);

  return { log, written };
}

/**
 * The page of items in an answer, wherever it is. Runs in QuickJS.
 *
 * @param {any} value
 * @returns {{ items: unknown[], next?: unknown } | null}
 */
function pageIn(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  if (Array.isArray(value.items)) return value;
  for (const inner of Object.values(value)) {
    const page = pageIn(inner);
    if (page) return page;
  }
  return null;
}

/**
 * A value as a line of text. Runs in QuickJS.
 *
 * @param {unknown} value
 */
function textOf(value) {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
