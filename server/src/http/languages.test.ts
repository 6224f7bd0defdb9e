import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { errorsOf, startTestServer, type TestServer } from './testing.ts';

describe('texts for people', () => {
  let at: TestServer;
  before(async () => {
    at = await startTestServer();
  });
  after(() => at.close());

  const CASES: readonly (readonly [headers: Record<string, string>, language: string | null, message: string])[] = [
    [{}, null, 'There is nothing at this address.'],
    [{ 'accept-language': 'nl, tlh;q=0.5' }, null, 'There is nothing at this address.'],
    [{ 'accept-language': 'de-AT, en;q=0.5' }, 'de', 'Unter dieser Adresse gibt es nichts.'],
    [{ 'accept-language': 'de', cookie: 'language=ja' }, 'ja', 'このアドレスには何もありません。'],
  ];

  for (const [headers, language, message] of CASES) {
    it(`are in the language that is asked for, ${language ?? 'otherwise in English'}: ${message}`, async () => {
      const response = await at.fetch('/nothing', { headers });
      const [error] = (await errorsOf(response)).errors;
      assert.equal(response.headers.get('content-language'), language);
      assert.deepEqual([error?.message, error?.code], [message, 'RESOURCE_NOT_FOUND']);
      assert.match(error?.documentation ?? '', /\/docs\/errors\/resource_not_found$/);
    });
  }

  it('have their values, and names of the protocol as they are', async () => {
    const response = await at.fetch('/graphql', { method: 'DELETE', headers: { 'accept-language': 'fr' } });
    const [error] = (await errorsOf(response)).errors;
    assert.equal(error?.message, 'DELETE n’est pas autorisé ici.');
    assert.equal(error?.extensions?.code, 'INVALID_INPUT');
    assert.equal(response.headers.get('content-language'), 'fr');
  });

  it('have values in that language, too', async () => {
    const headers = { 'accept-language': 'de', 'content-type': 'application/json' };
    const response = await at.fetch('/graphql', { method: 'POST', headers, body: '{"query' });
    const [error] = (await errorsOf(response)).errors;
    assert.equal(error?.message, 'Der Body ist kein gültiges JSON: Syntaxfehler an Position 7 (Zeile 1, Spalte 8).');
  });

  it('are on the page of an error, which is set from right to left in Arabic', async () => {
    const response = await at.fetch('/nothing', { headers: { accept: 'text/html', 'accept-language': 'ar' } });
    const page = await response.text();
    assert.match(page, /<html lang="ar" dir="rtl">/);
    assert.match(page, /<h1>لا يوجد شيء على هذا العنوان\.<\/h1>/);
    assert.match(page, />الرئيسية<\/a>/);
    assert.match(page, /<code>RESOURCE_NOT_FOUND<\/code>/);
  });

  it('are not in a successful response without any, which names no language', async () => {
    const response = await at.graphql({ query: '{ hello }' }, { 'accept-language': 'de' });
    assert.deepEqual([response.status, response.headers.get('content-language')], [200, null]);
  });
});
