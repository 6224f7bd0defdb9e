import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import type { Operation } from './api.ts';
import { type SubscriptionState, subscribe } from './subscribe.ts';

/** The server side of the streams: requests in order of arrival; the test responds to them. */
let requests: { readonly request: IncomingMessage; readonly response: ServerResponse }[] = [];
const server = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
  requests.push({ request, response });
});
const browsersFetch = globalThis.fetch;
let stop = (): void => undefined;

beforeEach(async () => {
  requests = [];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a socket
  // Node has no page origin for relative URLs.
  globalThis.fetch = (path, init) => browsersFetch(`http://127.0.0.1:${port}${path}`, init);
});
afterEach(async () => {
  stop();
  globalThis.fetch = browsersFetch;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const MESSAGES: Operation<{ n: number }, Record<string, never>> = {
  id: 'x0',
  name: 'Messages',
  kind: 'subscription',
};
const message = (id: string, body: object): string => `id: ${id}\nevent: next\ndata: ${JSON.stringify(body)}\n\n`;

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries += 1) {
    assert.ok(tries < 500, 'the condition was not met');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Subscribes and returns what was received. */
function listen(silenceMs?: number) {
  const received = { numbers: [] as number[], states: [] as SubscriptionState[], errors: [] as unknown[] };
  const listener = {
    onMessage: ({ n }: { n: number }) => void received.numbers.push(n),
    onState: (state: SubscriptionState) => void received.states.push(state),
    onError: (error: unknown) => void received.errors.push(error),
  };
  stop = subscribe(MESSAGES, {}, listener, silenceMs);
  return received;
}

test('a silent connection is closed, and the next one resumes after the last message', async () => {
  const received = listen(1_000);
  await until(() => requests.length === 1);
  requests[0]?.response.write(message('a', { data: { n: 1 } }));
  await until(() => requests.length === 2);
  assert.ok(requests[0]?.request.destroyed, 'the first connection was left open');
  assert.equal(requests[1]?.request.headers['last-event-id'], 'a');
  requests[1]?.response.write(message('b', { data: { n: 2 } }));
  await until(() => received.numbers.length === 2);
  assert.deepEqual(received.numbers, [1, 2]);
  assert.deepEqual(received.states, ['connecting', 'live', 'waiting', 'connecting', 'live']);
  assert.deepEqual(received.errors, []);
});

test('a heartbeat keeps an idle connection open', async () => {
  const received = listen(1_500);
  await until(() => requests.length === 1);
  const stopFirst = stop;
  listen(1_500);
  const stopSecond = stop;
  stop = () => {
    stopFirst();
    stopSecond();
  };
  // The second subscription hears nothing, and connects again.
  await until(() => {
    requests[0]?.response.write(':\n\n');
    return requests.length === 3;
  });
  assert.equal(requests[0]?.request.destroyed, false);
  assert.deepEqual(received.states, ['connecting', 'live']);
});

test('an error in the stream is reported, and its connection is closed', async () => {
  const received = listen();
  await until(() => requests.length === 1);
  requests[0]?.response.write(
    message('a', { errors: [{ message: 'No more.', extensions: { code: 'UNAUTHENTICATED' } }] }),
  );
  await until(() => received.errors.length === 1);
  await until(() => requests[0]?.request.destroyed === true);
  assert.equal(requests.length, 1);
});

test('whether an error ends the subscription is what the server says, not its code', async () => {
  const received = listen();
  const refusal = (retryable: boolean) =>
    message('a', { errors: [{ message: 'No.', extensions: { code: 'SERVICE_UNAVAILABLE', retryable } }] });
  await until(() => requests.length === 1);
  requests[0]?.response.write(refusal(true));
  await until(() => requests.length === 2);
  assert.deepEqual(received.errors, []);
  requests[1]?.response.write(refusal(false));
  await until(() => received.errors.length === 1);
  assert.deepEqual(received.states, ['connecting', 'live', 'waiting', 'connecting', 'live']);
  assert.equal(requests.length, 2);
});
