import { ARGUMENT_PARSERS } from './argument-parsers.ts';
import { DOCUMENT_PARSERS } from './document-parsers.ts';
import { HEADER_PARSERS } from './header-parsers.ts';
import type { TextParser } from './text-parser.ts';

/**
 * Every parser of user text: each is tested to take a number of steps that is linear in the length. The arguments that
 * they read are in `text-arguments.ts`, whose rows refer to these names.
 */
export const TEXT_PARSERS: Readonly<Record<string, TextParser>> = {
  ...ARGUMENT_PARSERS,
  ...DOCUMENT_PARSERS,
  ...HEADER_PARSERS,
};
