import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createLogger } from './log.ts';

it('replaces secrets in log lines and keeps the causes of errors', () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', destination: { write: (line: string) => void lines.push(line) } });
  const headers = { authorization: 'Bearer rg_secret', cookie: 'session=rg_secret' };
  log.info(
    { requestId: 'r1', apiKey: 'rg_secret', headers, body: { password: 'rg_secret', token: 'rg_secret' } },
    'request',
  );
  log.error({ error: new Error('outer', { cause: new Error('inner') }) }, 'failed');
  assert.equal(lines.length, 2);
  assert.ok(!lines.join('').includes('rg_secret'));
  assert.equal(JSON.parse(lines[0] ?? '').requestId, 'r1');
  const { error } = JSON.parse(lines[1] ?? '');
  assert.equal(error.message, 'outer');
  assert.equal(error.cause.message, 'inner');
});
