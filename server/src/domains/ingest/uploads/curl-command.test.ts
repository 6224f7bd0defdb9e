import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { curlCommand } from './curl-command.ts';

const run = promisify(execFile);
const HOSTILE = [
  'holiday.mp4',
  "it's mine.mp4",
  '$(touch pwned).mp4',
  'a[1-2]{x,y}.mp4',
  '-rf',
  '-',
  '`id`;"x" & y|z.mp4',
  'line\nbreak.mp4',
  '*.mp4',
  '@list.mp4',
  'naïve 🎬.mp4',
  'back\\slash.mp4',
];

describe('the pasted upload command', () => {
  let folder: string;
  const received: { method: string; url: string; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ method: String(request.method), url: String(request.url), body });
      response.end();
    });
  });
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'curl-command-'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const filename of HOSTILE) {
    it(`uploads ${JSON.stringify(filename)} as it is`, async () => {
      const { port } = server.address() as AddressInfo; // a TCP server has an AddressInfo
      await writeFile(join(folder, filename), `bytes of ${filename}`);
      await run('sh', ['-c', curlCommand(filename, `http://127.0.0.1:${port}/uploads/id-token`)], { cwd: folder });
      assert.deepEqual(received.pop(), { method: 'PUT', url: '/uploads/id-token', body: `bytes of ${filename}` });
      await assert.rejects(run('ls', [join(folder, 'pwned')]));
    });
  }
});
