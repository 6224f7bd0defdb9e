import { z } from 'zod';

export const flag = z.enum(['on', 'off']);
/** An address to which a path or a query is added. */
export const siteUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !/[?#]/.test(url), 'an address without ? and #')
  .transform((url) => url.replace(/(?<!\/)\/+$/, ''));

const SECRET_KEY_BYTES = 32;

/** Whether the text is a SECRET_KEY in base64. */
export const isSecretKey = (text: string): boolean => Buffer.from(text, 'base64').length === SECRET_KEY_BYTES;
