import type { Locator, Page } from 'playwright-core';
import { until } from '../../server/src/testing/until.ts';

/** The chat beside a stream, or its replay. */
export const chatOf = (page: Page): Locator => page.getByRole('region', { name: /^Chat/ });

export const messagesOf = (page: Page): Locator => chatOf(page).getByRole('list', { name: 'Messages' });

/** Writes a message, which may be held. */
export async function writeInChat(page: Page, text: string): Promise<void> {
  const message = chatOf(page).getByRole('textbox', { name: 'Message' });
  await message.fill(text);
  await message.press('Enter');
  await until(async () => (await message.inputValue()) === '', `not sent: ${text}`);
}
