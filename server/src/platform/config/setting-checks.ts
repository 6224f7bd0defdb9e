import { z } from 'zod';

export const flag = z.enum(['on', 'off']);
/** An address to which a path or a query is added. */
export const siteUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !/[?#]/.test(url), 'an address without ? and #')
  .transform((url) => url.replace(/(?<!\/)\/+$/, ''));
