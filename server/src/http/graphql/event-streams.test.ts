import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { until } from '../../testing/until.ts';
import { EventStreams } from './event-streams.ts';

describe('streams of events', () => {
  const streams = new EventStreams((error) => ({ errors: [{ message: error.message }] }), {
    perAccount: 1,
    total: 2,
    heartbeatMs: 20,
    slowMs: 200,
  });
  let produced = 0;
  const server = createServer((_, response) => {
    void streams.send(response, {}, endless());
  });
  async function* endless() {
    for (; produced < 100_000; produced += 1) yield { cursor: `c${produced}`, body: { text: 'x'.repeat(10_000) } };
  }
  let port = 0;
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port; // a TCP server has one
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('disconnect a client that does not read, with an error, and stop requesting messages', THOROUGH, async () => {
    const socket = connect(port, '127.0.0.1');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await until(() => streams.size === 1);
    await until(() => streams.size === 0);
    assert.ok(produced < 5_000, `${produced} messages were produced for a client that does not read`);
    let text = '';
    socket.on('data', (chunk) => {
      text = (text + chunk.toString()).slice(-2_000);
    });
    socket.on('error', () => {});
    socket.resume();
    await once(socket, 'close');
    assert.match(text, /was not read fast enough.*event: complete/s);
  });
});
