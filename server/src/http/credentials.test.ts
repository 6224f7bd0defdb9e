import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { AppError, type ErrorCode } from '../kernel/errors.ts';
import { bearerOf, credentialOf, refuseKeyInAddress } from './credentials.ts';
import { GOOD_KEY, SESSION_COOKIE, testCredentials } from './testing.ts';

/** A JWT whose payload happens to contain what looks like a key. */
const TOKEN = `eyJhbGciOiJFZERTQSJ9.eyJ-${GOOD_KEY}.AAAA`;
const OWN = 'http://reelgraph.test';

function request(method: string, headers: Record<string, string>): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.method = method;
  Object.assign(message.headers, headers);
  return message;
}

function outcome(act: () => unknown): ErrorCode | 'fine' {
  try {
    act();
    return 'fine';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

describe('bearer header', () => {
  const cases: [header: string, key: string | null][] = [
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER   abc==', 'abc=='],
    ['Bearer a.b-c_d~e+f/g ', 'a.b-c_d~e+f/g'],
    ['Bearer', null],
    ['Bearer ', null],
    ['Bearer a b', null],
    ['Bearer "abc"', null],
    ['Bearer a=b', null],
    ['Basic YTpi', null],
    ['abc', null],
    ['', null],
  ];
  for (const [header, key] of cases) {
    it(`reads ${JSON.stringify(header)} as ${key ?? 'a refusal'}`, () => {
      if (key === null)
        assert.equal(
          outcome(() => bearerOf(header)),
          'UNAUTHENTICATED',
        );
      else assert.equal(bearerOf(header), key);
    });
  }
});

describe('credential of a request', () => {
  const cookie = SESSION_COOKIE;
  const authorization = `Bearer ${GOOD_KEY}`;
  const cases: [
    name: string,
    method: string,
    headers: Record<string, string>,
    expected: 'key' | 'session' | 'anonymous' | ErrorCode,
  ][] = [
    ['nothing', 'POST', {}, 'anonymous'],
    ['a good key', 'POST', { authorization }, 'key'],
    ['a malformed key', 'POST', { authorization: 'Bearer nonsense' }, 'UNAUTHENTICATED'],
    ['a key beside a cookie, from another site', 'POST', { authorization, cookie, origin: 'http://evil.test' }, 'key'],
    ['a malformed key beside a good cookie', 'POST', { authorization: 'Bearer nonsense', cookie }, 'UNAUTHENTICATED'],
    ['a cookie that is not genuine', 'POST', { cookie: 'session=forged' }, 'anonymous'],
    ['a session from an own page', 'POST', { cookie, 'sec-fetch-site': 'same-origin' }, 'session'],
    ['a session with the own origin, from an older browser', 'POST', { cookie, origin: OWN }, 'session'],
    ['a session from a sibling domain', 'POST', { cookie, 'sec-fetch-site': 'same-site', origin: OWN }, 'UNAUTHORIZED'],
    [
      'a session from another site',
      'POST',
      { cookie, 'sec-fetch-site': 'cross-site', origin: 'http://evil.test' },
      'UNAUTHORIZED',
    ],
    ['a session with a null origin', 'POST', { cookie, origin: 'null' }, 'UNAUTHORIZED'],
    ['a session from an origin that begins alike', 'POST', { cookie, origin: `${OWN}.evil.test` }, 'UNAUTHORIZED'],
    ['a session that does not say where it comes from', 'POST', { cookie }, 'UNAUTHORIZED'],
    ['a session that only reads', 'GET', { cookie }, 'session'],
  ];
  for (const [name, method, headers, expected] of cases) {
    it(`maps ${name} to ${expected}`, async () => {
      const reading = credentialOf(request(method, headers), testCredentials, OWN);
      const outcome = await reading.then(
        ({ kind }) => kind,
        (error: AppError) => error.code,
      );
      assert.equal(outcome, expected);
    });
  }
});

describe('keys in addresses', () => {
  const refused = [
    '?key=x',
    '?api_key=x',
    '?apiKey=x',
    '?access_token=x',
    '?a=1&API-KEY=x',
    `?q=${GOOD_KEY}`,
    `?${GOOD_KEY}`,
    `?next=%2Fa%3Fk%3D${GOOD_KEY}`,
    '?authorization=Bearer%20x',
  ];
  for (const search of refused)
    it(`refuses ${search}`, () =>
      assert.equal(
        outcome(() => refuseKeyInAddress(search)),
        'UNAUTHENTICATED',
      ));
  const fine = [
    '',
    '?',
    '?query={me{id}}',
    '?token=abc',
    '?monkey=1',
    '?q=rg_short',
    '?next=/graphql',
    `?token=${TOKEN}`,
  ];
  for (const search of fine)
    it(`accepts ${search || 'no query'}`, () =>
      assert.equal(
        outcome(() => refuseKeyInAddress(search)),
        'fine',
      ));
});
