import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityViolations } from '../support/accessibility.ts';
import { makeClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import { signUp, untilPlaying, untilVisibility, uploadInStudio } from '../support/steps.ts';

/** Private sharing: a link with a password, and a person by name, until both are revoked. */
const stage = sharedStage();

const PASSWORD = 'blue-harbour';

test('an owner shares a private video by a link and with a person, and takes it back', async () => {
  const owner = await stage.signedIn();
  const viewer = await stage.visitor();
  const { username } = await signUp(viewer.page);
  const row = await uploadInStudio(owner.page, makeClip(stage.folder, 'secret.mp4', 8), 'A secret', false);
  await untilVisibility(row, 'Private');
  await row.getByRole('link', { name: 'Edit A secret' }).click();
  await owner.page.getByRole('button', { name: 'Share A secret privately' }).click();
  const dialog = owner.page.getByRole('dialog', { name: 'Share privately' });

  await dialog.getByRole('button', { name: 'Create link' }).click();
  const form = dialog.getByRole('form', { name: 'New link' });
  await form.getByLabel('Name').fill('Jury');
  await form.getByLabel('Password').fill(PASSWORD);
  await form.getByLabel('Maximum number of uses').fill('3');
  await form.getByRole('button', { name: 'Create link' }).click();
  const link = (await dialog.locator('output').innerText()).trim();
  assert.match(link, /^http:\/\/[^/]+\/share\/[\w-]{32}$/);
  await dialog.getByText('opened 0 of 3 times · with a password').waitFor();

  await dialog.getByLabel('Username or email address').fill(username);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByRole('button', { name: `Remove ${username}` }).waitFor();
  assert.deepEqual(await accessibilityViolations(owner.page), []);

  const guest = await stage.visitor();
  await guest.page.goto(link);
  await guest.page.getByRole('heading', { name: 'This video has a password' }).waitFor();
  assert.deepEqual(await accessibilityViolations(guest.page), []);
  await guest.page.getByLabel('Password').fill('something-else');
  await guest.page.getByRole('button', { name: 'Watch' }).click();
  await guest.page.getByText('The password is wrong.').waitFor();
  await guest.page.getByLabel('Password').fill(PASSWORD);
  await guest.page.getByRole('button', { name: 'Watch' }).click();
  await guest.page.getByRole('heading', { name: 'A secret' }).waitFor();
  await untilPlaying(guest.page);
  await guest.page.reload();
  await untilPlaying(guest.page);

  await viewer.page.goto('/shared');
  await viewer.page.getByRole('link', { name: 'A secret' }).first().click();
  await untilPlaying(viewer.page);
  await viewer.page.getByText('Shared with you').waitFor();
  const page = viewer.page.url();

  await dialog.getByRole('button', { name: `Remove ${username}` }).click();
  await dialog.getByRole('button', { name: `Remove ${username}` }).waitFor({ state: 'detached' });
  await dialog.getByText('opened 1 of 3 times').waitFor();
  await dialog.getByRole('button', { name: 'Revoke Jury' }).click();
  await dialog.getByRole('button', { name: 'Revoke Jury' }).waitFor({ state: 'detached' });
  await guest.page.reload();
  await guest.page.getByText('This link does not work, or was revoked.').waitFor();
  await viewer.page.goto('/shared');
  await viewer.page.getByText('Nothing is shared with you yet').waitFor();
  await viewer.page.goto(page);
  await viewer.page.getByRole('heading', { name: 'Not found' }).waitFor();

  for (const visitor of [owner, guest, viewer]) await visitor.context.close();
});
