import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HttpError } from '../../http/errors.ts';
import { ManualClock } from '../../platform/clock.ts';
import { secretsFrom } from '../../platform/config/secret-key.ts';
import { AgentSessions, supportsElicitation } from './session.ts';

const DAY_MS = 24 * 3_600_000;
const clock = new ManualClock(Date.parse('2026-01-01T00:00:00Z'));
const sessions = new AgentSessions({ secrets: secretsFrom(Buffer.alloc(32, 1)), clock });

const initialize = (capabilities: object, clientInfo: object = { name: 'agent', version: '2' }) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities, clientInfo },
});
const begin = () => sessions.begin(initialize({ elicitation: {} }), 'olivia') ?? assert.fail('a session is begun');
const refused = (id: string, account = 'olivia', of = sessions) =>
  assert.throws(
    () => of.find(id, account),
    (error) => error instanceof HttpError && error.status === 404,
  );

describe('a session', () => {
  it('stores the client’s data in its id, with header-safe characters', () => {
    const id = begin();
    assert.match(id, /^[\w-]+$/);
    const elsewhere = new AgentSessions({ secrets: secretsFrom(Buffer.alloc(32, 1)), clock });
    assert.deepEqual(elsewhere.find(id, 'olivia'), {
      ...{ id, agent: 'agent 2', asks: true },
      expiresAt: Date.parse('2026-01-08T00:00:00Z'),
    });
    assert.notEqual(begin(), id, 'two sessions of a client differ');
  });

  it('starts with initialize only, and says whether the client supports forms', () => {
    const plain = sessions.begin(initialize({}), 'olivia');
    assert.equal(sessions.find(plain, 'olivia')?.asks, false);
    assert.equal(sessions.begin({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, 'olivia'), null);
    assert.equal(sessions.begin(undefined, 'olivia'), null);
    assert.deepEqual(
      [
        undefined,
        {},
        { elicitation: {} },
        { elicitation: { form: {} } },
        { elicitation: { url: {} } },
        { elicitation: { url: {}, form: {} } },
      ].map(supportsElicitation),
      [false, false, true, true, false, true],
    );
  });

  it('truncates the client’s name', () => {
    const id = sessions.begin(initialize({ elicitation: {} }, { name: 'x'.repeat(5_000), version: '1' }), 'olivia');
    assert.equal(sessions.find(id, 'olivia')?.agent, 'x'.repeat(100));
  });

  it('is not needed', () => assert.equal(sessions.find(null, 'olivia'), null));

  it('belongs to its account only', () => refused(begin(), 'otto'));

  it('cannot be forged, changed, respelled or sealed with another key', () => {
    const id = begin();
    const changed = `${id.slice(0, 20)}${id[20] === 'A' ? 'B' : 'A'}${id.slice(21)}`;
    for (const wrong of ['', 'x', 'a'.repeat(100), changed, `${id}=`, `${id} `, `${id}.`]) refused(wrong);
    refused(id, 'olivia', new AgentSessions({ secrets: secretsFrom(Buffer.alloc(32, 2)), clock }));
  });

  it('ends after seven days', () => {
    const id = begin();
    clock.advance(7 * DAY_MS - 1);
    assert.equal(sessions.find(id, 'olivia')?.id, id);
    clock.advance(1);
    refused(id);
  });
});
