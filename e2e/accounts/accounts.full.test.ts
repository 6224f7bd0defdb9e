import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityViolations } from '../support/accessibility.ts';
import { mailTo } from '../support/mail.ts';
import { sharedStage } from '../support/stage.ts';
import { graphql, newPerson, shownKey } from '../support/steps.ts';

/** What happens to accounts and their keys, and how people become members of channels. */
const stage = sharedStage();

test('an operator suspends an account: its sessions end, and it reads why on its pages and when it signs in', async () => {
  const operator = await stage.signedIn({}, await stage.operator());
  const { page, context, errors, member } = await stage.signedIn();
  await page.goto('/studio/channel');
  await page.getByRole('region', { name: 'Profile', exact: true }).waitFor();
  const settings = await context.newPage();
  await settings.goto('/settings/account');
  await settings.getByRole('region', { name: 'Profile', exact: true }).waitFor();
  await operator.page.goto('/admin/accounts');
  await operator.page.getByRole('main').getByLabel('Search').fill(member.username);
  await operator.page.getByRole('main').getByRole('button', { name: 'Search', exact: true }).click();
  await operator.page.getByText('1 account', { exact: true }).waitFor();
  assert.deepEqual(await accessibilityViolations(operator.page), []);
  const row = operator.page.getByRole('listitem').filter({ hasText: member.email });
  await row.getByRole('button', { name: `Actions for ${member.username}` }).click();
  await row.getByRole('button', { name: 'Suspend' }).click();
  await operator.page.getByLabel('Reason').fill('Published spam.');
  await operator.page.getByRole('button', { name: 'Suspend' }).last().click();
  await row.getByText('Suspended', { exact: true }).waitFor();
  const showsSuspension = async (shown = page) => {
    const alert = shown.getByRole('alert');
    await alert.getByText('This account is suspended. Reason: Published spam.').waitFor();
    await alert.getByText('Contact the operator of this server').waitFor();
    assert.equal(await alert.count(), 1);
    assert.deepEqual(await accessibilityViolations(shown), []);
  };
  // The page that is open, others of the application, and a page that is loaded.
  const profile = page.getByRole('region', { name: 'Profile', exact: true });
  await profile.getByLabel('Name', { exact: true }).fill('Harbour');
  await profile.getByRole('button', { name: 'Save', exact: true }).click();
  await showsSuspension();
  await page.getByRole('navigation', { name: 'Studio' }).getByRole('link', { name: 'Playlists' }).click();
  await page.getByRole('heading', { name: 'Channel' }).waitFor({ state: 'detached' });
  await showsSuspension();
  await settings.getByRole('link', { name: 'Security' }).click();
  await showsSuspension(settings);
  await page.goto('/studio');
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await showsSuspension();
  await page.getByLabel('Email').fill(member.email);
  await page.getByLabel('Password').fill(member.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await showsSuspension();

  await operator.page.getByRole('link', { name: 'Mail' }).click();
  const message = operator.page.getByRole('listitem').filter({ hasText: 'Your account was suspended' });
  await message.filter({ hasText: member.email }).getByText(member.email).first().click();
  await operator.page.getByText(/Reason: Published spam\./).waitFor();
  assert.deepEqual(await accessibilityViolations(operator.page), []);
  await operator.page.getByRole('link', { name: 'Audit log' }).click();
  await operator.page
    .getByRole('listitem')
    .filter({ hasText: `${operator.member.username} suspended ${member.username}` })
    .waitFor();
  await operator.page.getByRole('link', { name: 'Invitations' }).click();
  await operator.page.getByRole('button', { name: 'Create invitation' }).click();
  await operator.page
    .getByRole('status')
    .getByText(/sign-up\?invitation=rgi_/)
    .waitFor();
  // The router writes the error of a page to the console, too.
  const others = errors.filter((error) => !error.startsWith('ApiError: This account is suspended.'));
  assert.deepEqual([...others, ...operator.errors], []);
  await Promise.all([context.close(), operator.context.close()]);
});

test('an account takes its data along, and is deleted after a time in which it can be kept', async () => {
  const { page, context, errors, member } = await stage.signedIn();
  const visitor = await stage.visitor();
  await page.goto('/settings/account');
  const data = page.getByRole('region', { name: 'Your data' });
  await data.getByRole('button', { name: 'Request archive' }).click();
  await page.getByRole('dialog').getByLabel('Password').fill(member.password);
  await page.getByRole('dialog').getByRole('button', { name: 'Request archive' }).click();
  const archive = await data.getByRole('link', { name: 'Download' }).getAttribute('href');
  const file = await context.request.get(archive ?? '');
  assert.equal((await file.body()).subarray(0, 4).toString('latin1'), 'PK\x03\x04');
  assert.equal((await visitor.context.request.get(archive ?? '')).status(), 401);
  await mailTo(stage.mailFolder, member.email, 'Your data is ready');
  const panel = page.getByRole('region', { name: 'Delete account' });
  await panel.getByRole('button', { name: 'Delete account' }).click();
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.getByRole('dialog').getByLabel('Password').fill(member.password);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('heading', { name: 'Your account is closed' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  await mailTo(stage.mailFolder, member.email, 'Your account will be deleted');
  await visitor.page.goto(`/@${member.username}`);
  await visitor.page.getByRole('heading', { name: /not found|does not exist/i }).waitFor();
  await page.goto('/sign-in?next=/studio');
  await page.getByLabel('Email').fill(member.email);
  await page.getByLabel('Password').fill(member.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Keep your account?' }).waitFor();
  assert.deepEqual(await accessibilityViolations(page), []);
  await page.getByRole('button', { name: 'Keep account and sign in' }).click();
  await page.waitForURL(({ pathname }) => pathname === '/studio');
  await visitor.page.goto(`/@${member.username}`);
  await visitor.page.getByRole('heading', { level: 1, name: member.username }).waitFor();
  assert.deepEqual(errors, []);
  await Promise.all([context.close(), visitor.context.close()]);
});

test('people are invited to a channel, and become members by accepting', async () => {
  const owner = await stage.signedIn();
  const guest = await stage.signedIn();
  const members = owner.page.getByRole('region', { name: 'Members' });
  const invite = async (person: string, role: string): Promise<void> => {
    await members.getByRole('button', { name: 'Invite people' }).click();
    const dialog = owner.page.getByRole('dialog', { name: 'Invite to this channel' });
    await dialog.getByLabel('Email or username').fill(person);
    await dialog.getByRole('radio', { name: role }).check();
    assert.deepEqual(await accessibilityViolations(owner.page), []);
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await members.getByText(`Invited ${person} as ${role}.`).waitFor();
  };
  await owner.page.goto('/studio/channel');
  await invite(`@${guest.member.username}`, 'Viewer');
  await members.getByRole('button', { name: `Withdraw the invitation of @${guest.member.username}` }).click();
  await members.getByText('Nobody is invited at present.').waitFor();
  await invite(`@${guest.member.username}`, 'Manager');
  await guest.page.goto('/invitations');
  await guest.page.getByRole('heading', { name: owner.member.username }).waitFor();
  assert.deepEqual(await accessibilityViolations(guest.page), []);
  await guest.page.getByRole('button', { name: 'Accept' }).click();
  await guest.page.getByText('You are now a member of').waitFor();
  await guest.page.getByRole('link', { name: 'Open it in Studio' }).click();
  await guest.page.waitForURL(({ pathname }) => pathname === '/studio');

  const invited = await stage.account('FREE');
  await invite(invited.email, 'Editor');
  const message = await mailTo(
    stage.mailFolder,
    invited.email,
    `You are invited to the channel ${owner.member.username}`,
  );
  const link = /https?:\/\/\S+\/invitations#token=[\w-]+/.exec(message)?.[0] ?? assert.fail(message);
  const visitor = await stage.visitor();
  await visitor.page.goto(link);
  await visitor.page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  assert.ok(!visitor.page.url().includes('token'), 'the token is not left in the address');
  await visitor.page.getByLabel('Email').fill(invited.email);
  await visitor.page.getByLabel('Password').fill(invited.password);
  await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await visitor.page.getByRole('button', { name: 'Decline' }).click();
  await visitor.page.getByText('You declined the invitation to').waitFor();
  await guest.page.goto(link);
  await guest.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
  assert.deepEqual([...owner.errors, ...guest.errors, ...visitor.errors], []);
  await Promise.all([owner.context.close(), guest.context.close(), visitor.context.close()]);
});

test('a taken username is explained at its field', async () => {
  const person = await stage.account();
  const second = await stage.visitor();
  await second.page.goto('/sign-up');
  await second.page.getByLabel('Username').fill(person.username);
  await second.page.getByLabel('Email').fill(newPerson().email);
  await second.page.getByLabel('Password').fill(newPerson().password);
  await second.page.getByRole('button', { name: 'Create account' }).click();
  await second.page.getByRole('alert').waitFor();
  assert.equal(await second.page.getByLabel('Username').getAttribute('aria-invalid'), 'true');
  await second.context.close();
});

test('regenerating a key asks for confirmation, which then invalidates the old key', async () => {
  const { page, context, errors, member } = await stage.signedIn();
  const { key } = member;
  await page.goto('/settings/developer');
  const works = async (candidate: string): Promise<number> =>
    (await graphql(stage.baseUrl, candidate, '{ verifyConnection { authenticated } }')).status;
  await page.getByRole('button', { name: 'Regenerate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Regenerate the API key?' });
  await dialog.getByText('Update every application that uses it').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  assert.equal(await works(key), 200);
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await dialog.getByRole('button', { name: 'Regenerate' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const next = await shownKey(page);
  assert.notEqual(next, key);
  assert.deepEqual([await works(key), await works(next)], [401, 200]);
  await page.reload();
  await page.getByRole('button', { name: 'Reveal' }).click();
  await page.getByRole('button', { name: 'Copy key' }).waitFor();
  assert.equal(await shownKey(page), next);
  assert.deepEqual(errors, []);
  await context.close();
});
