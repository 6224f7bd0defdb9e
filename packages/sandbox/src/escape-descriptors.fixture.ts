import { DEFAULT_PATH, findExecutable } from './core/executables.ts';
import { SANDBOX_METHODS } from './core/sandbox.ts';
import { openSandbox } from './methods/open-sandbox.ts';
import { supervise } from './run/supervise.ts';

/** Acts as the platform: lists the descriptors that a program has in each sandbox method. */
const [input = ''] = process.argv.slice(2);
const limits = { cpuSeconds: 20, memoryBytes: 1024 ** 3, outputBytes: 1024 ** 2, wallMs: 60_000 };
const program = findExecutable('ls', DEFAULT_PATH) ?? 'ls';
const args = ['-l', '/proc/self/fd'];
for (const method of SANDBOX_METHODS) {
  const sandbox = await openSandbox({ trial: [program, ...args], searchPath: DEFAULT_PATH, methods: [method] });
  const command = { program, args, readOnly: [], inputs: [input], devices: [], workDir: null, network: false, limits };
  const launch = await sandbox.prepare(command);
  const supervised = supervise(launch, {
    tool: 'ls',
    limits,
    workDir: null,
    bytesBefore: 0,
    input: false,
    output: 'collect',
  });
  const { stdout } = await supervised.ended.finally(() => launch.close());
  process.stdout.write(`${JSON.stringify({ method: sandbox.status.method, stdout })}\n`);
}
