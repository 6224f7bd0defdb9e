import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { RawApplication } from '../../server/src/mcp/session/oauth-testing.ts';
import { freePort } from '../../server/src/platform/config/free-port.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import type { Member } from '../support/members.ts';
import { sharedStage } from '../support/stage.ts';
import { signOut, untilFocused } from '../support/steps.ts';

/** Connecting an agent by its address, and revoking it. */
const stage = sharedStage();
let callback: Server;
let redirect: string;
let person: Member;
const returned: URL[] = [];

before(async () => {
  const port = await freePort();
  redirect = `http://127.0.0.1:${port}/callback`;
  callback = createServer((request, response) => {
    const url = new URL(request.url ?? '/', redirect);
    if (url.pathname === '/callback') returned.push(url);
    response.end('<!doctype html><title>Back</title><h1>You may close this window</h1>');
  }).listen(port, '127.0.0.1');
  person = await stage.account();
});

after(async () => {
  callback?.close();
  callback?.closeAllConnections();
});

async function agent(name: string): Promise<RawApplication> {
  const app = new RawApplication(stage.baseUrl);
  const result = await app.register({ client_name: name, redirect_uris: [redirect] });
  assert.equal(result.status, 201);
  return app;
}

async function signIn(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function statusOf(token: string | undefined): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${token}`,
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  return (await fetch(`${stage.baseUrl}/mcp`, { method: 'POST', headers, body })).status;
}

test('an agent is connected after sign-in and consent by keyboard, and revoked in Developer Settings', async () => {
  const { page, errors } = await stage.visitor();
  const app = await agent('<b>Harbour</b> agent');
  await page.goto(String(app.request({ redirect_uri: redirect, state: '{"a": 01}' })));
  await signIn(page);
  await page.getByRole('heading', { name: 'Connect “<b>Harbour</b> agent”?' }).waitFor();
  await page.getByText('it is not verified').waitFor();
  await page.getByText(new URL(redirect).host).waitFor();
  await page.getByRole('main').getByText(person.username).waitFor();
  await page.getByText('Delete content and restore it from the trash').waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);

  await page.getByRole('button', { name: 'Deny' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'You may close this window' }).waitFor();
  const back = returned.at(-1)?.searchParams;
  assert.equal(back?.get('state'), '{"a": 01}');
  assert.equal(back?.get('iss'), `${stage.baseUrl}/api/auth`);
  const { body } = await app.exchange(back?.get('code') ?? '', { redirect_uri: redirect });
  assert.equal(await statusOf(body.access_token), 200);

  await page.goto('/settings/developer');
  await page.getByRole('region', { name: 'Connected applications' }).getByText('<b>Harbour</b> agent').waitFor();
  await page.getByRole('button', { name: 'Disconnect <b>Harbour</b> agent' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('No connected applications.').waitFor();
  await untilFocused(page, 'Connected applications');
  assert.equal(await statusOf(body.access_token), 401);
  assert.deepEqual(errors, []);
});

test('an application with a metadata document is shown with its host, and a wrong document with the reason', async () => {
  const { page, errors } = await stage.signedIn({}, person);
  const app = new RawApplication(stage.baseUrl);
  const host = `127.0.0.1:${stage.receiverPort}`;
  app.clientId = `http://${host}/client.json`;
  const document = { client_name: '<img src=x onerror=alert(1)>', redirect_uris: [redirect] };
  const documents = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ client_id: `http://${host}/client.json`, ...document }));
  }).listen(stage.receiverPort, '127.0.0.1');
  await page.goto(String(app.request({ redirect_uri: redirect })));
  await page.getByRole('heading', { name: 'Connect “<img src=x onerror=alert(1)>”?' }).waitFor();
  await page.getByText('Published by').waitFor();
  await page.getByText(host, { exact: true }).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);

  app.clientId = `http://${host}/other.json`;
  await page.goto(String(app.request({ redirect_uri: redirect })));
  await page.getByText('is about another client_id').waitFor();
  assert.deepEqual(errors, []);
  documents.close();
  documents.closeAllConnections();
});

test('on a phone: Deny refuses the agent, and the account can be switched', async () => {
  const options = {
    viewport: { width: 390, height: 844 },
    colorScheme: 'light',
    hasTouch: true,
    isMobile: true,
  } as const;
  const { page, errors } = await stage.visitor(options);
  const app = await agent('An agent with quite a long name that has to be broken somewhere on small screens');
  await page.goto(String(app.request({ redirect_uri: redirect })));
  await signIn(page);
  await page.getByRole('button', { name: 'Use a different account' }).click();
  await signIn(page);
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.getByRole('button', { name: 'Deny' }).tap();
  await page.getByRole('heading', { name: 'You may close this window' }).waitFor();
  assert.equal(returned.at(-1)?.searchParams.get('error'), 'access_denied');
  assert.equal(returned.at(-1)?.searchParams.get('code'), null);
  assert.deepEqual(errors, []);
});

test('an account without developer access sees why it cannot allow; an invalid address and a forged request show an error page', async () => {
  const { page } = await stage.signedIn({ colorScheme: 'light' }, await stage.account('FREE'));
  const app = await agent('Plain agent');
  await page.goto(String(app.request({ redirect_uri: redirect })));
  await page.getByText('The Free plan has no developer access.').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Allow' }).isDisabled());

  await page.goto(String(app.request({ redirect_uri: 'https://evil.example/callback' })));
  await page.getByText('an address it did not register').waitFor();
  assert.equal(new URL(page.url()).origin, stage.baseUrl);
  assert.deepEqual(await accessibilityViolations(page), []);
  const forged = new URLSearchParams({ client_id: app.clientId, redirect_uri: redirect, scope: 'mcp:tools', sig: 'x' });
  await page.goto(`/connect?${new URLSearchParams({ request: String(forged) })}`);
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('This connection request has expired').waitFor();
  const { headers } = await fetch(`${stage.baseUrl}/connect`);
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  await signOut(page);
});
