import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totp } from '../../server/src/testing/totp.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { mailTo } from '../support/mail.ts';
import { sharedStage } from '../support/stage.ts';
import { signOut } from '../support/steps.ts';

/** Sign-in and sign-out, and the validity of sessions. */
const stage = sharedStage();

test('signing out closes the studio, and signing in redirects back to the requested page', async () => {
  const { page, context, errors, member } = await stage.signedIn();
  await page.goto('/studio');
  await signOut(page);
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  await page.goto('/settings/developer');
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await page.getByLabel('Email').fill(member.email);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Password').fill(member.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Developer Settings' }).waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});

test('a browser with a revoked session sees public pages, and is redirected to sign-in for others', async () => {
  const { page, context, errors } = await stage.signedIn();
  await page.goto('/studio');
  const cookies = await context.cookies();
  await signOut(page);
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  await context.addCookies(cookies);
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  for (const own of ['/studio', '/graphql']) {
    await context.addCookies(cookies);
    await page.goto(own);
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  }
  assert.deepEqual(errors, []);
  await context.close();
});

test('on a phone, a visitor signs in from the header, and reads what is wrong with the password', async () => {
  const member = await stage.account();
  const { page, context, errors } = await stage.visitor({ viewport: { width: 390, height: 844 } });
  await page.goto('/trending');
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill(member.email);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').getByText('The email address or the password is wrong.').waitFor();
  assert.equal(await page.getByText('You are signed out.').count(), 0);
  await page.getByLabel('Password').fill(member.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Studio' }).waitFor();
  await page.goBack();
  await page.waitForURL(`${stage.baseUrl}/`);
  assert.deepEqual(errors, []);
  await context.close();
});

test('whoever is signed in is led on from the pages for signing in, and guessed addresses lead to their pages', async () => {
  const { page, context, errors } = await stage.signedIn();
  for (const [address, path] of [
    ['/sign-in', '/'],
    ['/sign-up?next=/history', '/history'],
    ['/sign-in?next=/sign-in', '/studio'],
    ['/sign-in?next=/docs', '/docs'],
    ['/settings', '/settings/account'],
    ['/following', '/feed'],
    ['/series', '/browse/series'],
  ]) {
    const response = await page.goto(address ?? '');
    assert.equal(response?.status(), 200, address);
    await page.waitForURL(`${stage.baseUrl}${path}`);
  }
  assert.deepEqual(errors, []);
  await context.close();
});

test('a forgotten password is replaced by the link in a message, and other sessions end', async () => {
  const { page, context, errors, member } = await stage.signedIn();
  const visitor = await stage.visitor();
  await visitor.page.goto('/sign-in');
  await visitor.page.getByRole('link', { name: 'Forgot your password?' }).click();
  await visitor.page.getByRole('heading', { name: 'Reset your password' }).waitFor();
  await visitor.page.getByLabel('Email').fill(member.email);
  await visitor.page.getByRole('button', { name: 'Send link' }).click();
  await visitor.page.getByRole('heading', { name: 'Ask the operator for the link' }).waitFor();
  const message = await mailTo(stage.mailFolder, member.email, 'Reset your password');
  const link = /https?:\/\/\S+\/reset-password#token=[\w-]+/.exec(message)?.[0] ?? assert.fail(message);
  await visitor.page.goto(link);
  await visitor.page.getByLabel('New password').fill('password');
  await visitor.page.getByRole('button', { name: 'Change password' }).click();
  await visitor.page.getByText('too easy to guess').first().waitFor();
  assert.equal(new URL(visitor.page.url()).hash, '', 'the token is not left in the address');
  const password = 'seven lanterns by the harbour';
  await visitor.page.getByLabel('New password').fill(password);
  await visitor.page.getByRole('button', { name: 'Change password' }).click();
  await visitor.page.getByRole('heading', { name: 'Your password was changed' }).waitFor();
  await visitor.page.getByRole('link', { name: 'Sign in' }).last().click();
  await visitor.page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await visitor.page.getByLabel('Email').fill(member.email);
  await visitor.page.getByLabel('Password').fill(password);
  await visitor.page.getByRole('button', { name: 'Sign in' }).click();
  await visitor.page.getByRole('link', { name: 'Studio' }).first().waitFor();
  await page.goto('/studio');
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await mailTo(stage.mailFolder, member.email, 'Your password was changed');
  await visitor.page.goto(link);
  await visitor.page.getByLabel('New password').fill('another seven lanterns');
  await visitor.page.getByRole('button', { name: 'Change password' }).click();
  await visitor.page.getByRole('link', { name: 'Request another link' }).waitFor();
  assert.deepEqual(errors, []);
  await Promise.all([context.close(), visitor.context.close()]);
});

test('sessions are listed with their devices, and can be signed out', async () => {
  const { page, context, errors, member } = await stage.signedIn();
  const other = await stage.signedIn({}, member);
  await page.goto('/settings/security');
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await sessions.getByText('This session').waitFor();
  const signOutOther = sessions.getByRole('button', { name: /^Sign out / }).first();
  await signOutOther.click();
  await signOutOther.waitFor({ state: 'detached' });
  const security = page.getByRole('region', { name: 'Password' });
  await other.page.goto('/studio');
  await other.page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await security.getByLabel('Current password').fill('not the password');
  await security.getByLabel('New password').fill('seven lanterns by the harbour');
  await security.getByRole('button', { name: 'Change password' }).click();
  await security.getByRole('alert').waitFor();
  await security.getByLabel('Current password').fill(member.password);
  await security.getByRole('button', { name: 'Change password' }).click();
  await security.getByText('Your other sessions were signed out.').waitFor();
  await mailTo(stage.mailFolder, member.email, 'Your password was changed');
  assert.deepEqual(errors, []);
  await Promise.all([context.close(), other.context.close()]);
});

test('two-factor authentication asks for a code of the authenticator, or for a recovery code', async () => {
  const { page, context, errors, member } = await stage.signedIn();
  await page.goto('/settings/security');
  const panel = page.getByRole('region', { name: 'Two-factor authentication' });
  await panel.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('dialog').getByLabel('Password').fill(member.password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  await page.getByRole('textbox', { name: 'Code' }).fill(totp(secret, Date.now()));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const list = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await list.first().waitFor();
  const codes = await list.allTextContents();
  assert.equal(codes.length, 10);
  await page.getByRole('button', { name: 'I saved them' }).click();
  await panel.getByText('On', { exact: true }).waitFor();
  await mailTo(stage.mailFolder, member.email, 'Two-factor authentication was turned on');

  const visitor = await stage.visitor();
  await visitor.page.goto('/sign-in?next=/studio');
  await visitor.page.getByLabel('Email').fill(member.email);
  await visitor.page.getByLabel('Password').fill(member.password);
  await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await visitor.page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  assert.deepEqual(await accessibilityViolations(visitor.page), []);
  await visitor.page.getByRole('textbox', { name: 'Code' }).fill('000000');
  await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await visitor.page.getByRole('alert').waitFor();
  await visitor.page.getByRole('button', { name: 'Use a recovery code' }).click();
  await visitor.page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await visitor.page.waitForURL(({ pathname }) => pathname === '/studio');

  await panel.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('dialog').getByLabel('Password').fill(member.password);
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await panel.getByText('Off', { exact: true }).waitFor();
  assert.deepEqual(errors, []);
  await Promise.all([context.close(), visitor.context.close()]);
});

test('a passkey signs in without the password, until it is removed', async () => {
  const { page, context, errors, member } = await stage.signedIn();
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await page.goto('/settings/security');
  const panel = page.getByRole('region', { name: 'Passkeys' });
  await panel.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Work laptop');
  await page.getByRole('dialog').getByLabel('Password').fill(member.password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await panel.getByText('Work laptop', { exact: true }).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await mailTo(stage.mailFolder, member.email, 'A passkey was added');
  await signOut(page);
  await page.goto('/sign-in?next=/settings/security');
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await panel.getByText('Work laptop', { exact: true }).waitFor();
  await panel.getByRole('button', { name: 'Remove Work laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await panel.getByText('Work laptop', { exact: true }).waitFor({ state: 'detached' });
  await signOut(page);
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await page.getByRole('alert').getByText('There is no such passkey on this server.').waitFor();
  assert.deepEqual(errors, []);
  await context.close();
});
