import type { IncomingMessage } from 'node:http';
import { filledWith } from './shapes.ts';
import { characters, filled, type TextParser } from './text-parser.ts';

// Nothing else of it is read.
const requestWith = (headers: Readonly<Record<string, string>>) => ({ headers }) as unknown as IncomingMessage;

/** Parsers of headers and addresses. */
export const HEADER_PARSERS = {
  'content type of a body': {
    load: async () => {
      const { readJson } = await import('../../http/body.ts');
      return (text) => readJson(requestWith({ 'content-type': text }), { maxBytes: 1, timeoutMs: 1, suggestedFix: '' });
    },
    shapes: filled({ parameters: 'a;', charsets: ';charset=' }),
  },
  'Accept-Encoding': {
    load: async () => {
      const { codingChooser } = await import('../../http/codings/content-codings.ts');
      return (text) => codingChooser(['zstd', 'br', 'gzip'])(text);
    },
    shapes: filled({ commas: ',', codings: 'a,', parameters: ';q=' }),
  },
  Accept: {
    load: async () => {
      const { negotiate } = await import('../../http/codings/media-types.ts');
      return (text) => negotiate(text, ['text/html', 'application/json', 'text/event-stream']);
    },
    shapes: filled({ commas: ',', types: 'a/b,', parameters: ';q=' }),
  },
  'Accept-Language and cookies': {
    load: async () => {
      const { requestLanguage } = await import('../../kernel/languages/languages.ts');
      return (text) => requestLanguage({ headers: { cookie: text, 'accept-language': text } });
    },
    shapes: filled({ commas: ',', tags: 'xx;q=0.1,', cookies: 'a=b; ', languages: ';language=', semicolons: ';' }),
  },
  'session cookie': {
    load: async () => {
      const { deviceOf } = await import('../../domains/accounts/sessions/session-cookie.ts');
      return (text) => deviceOf(text, 'https://example.com');
    },
    shapes: filled({ cookies: 'a=b; ', equals: '=', semicolons: ';', percents: '%' }),
  },
  Authorization: {
    load: async () => {
      const { bearerOf } = await import('../../http/credentials.ts');
      const { isApiKeyWellFormed } = await import('../../domains/accounts/keys/api-key.ts');
      return (text) => [isApiKeyWellFormed(`rg_${text}`), bearerOf(`Bearer ${text}`)];
    },
    shapes: characters('=~.'),
  },
  'query of an address': {
    load: async () => {
      const { refuseKeyInAddress } = await import('../../http/credentials.ts');
      return (text) => refuseKeyInAddress(`?${text}`);
    },
    shapes: { ...characters('&=%+_'), ...filled({ pairs: 'a=b&', keys: 'rg_', tokens: 'token=eyJ.' }) },
  },
  'path of an address': {
    load: async () => {
      const { createRouter } = await import('../../http/router.ts');
      const { loggablePath } = await import('../../http/health/access-log.ts');
      const { openingOf } = await import('../../http/cors.ts');
      const handle = async () => {};
      const find = createRouter([
        { method: 'GET', path: '/uploads/:address/parts', handle },
        { method: 'GET', path: '/media/*', handle },
      ]);
      return (text) => [loggablePath(`/${text}`), openingOf(`/${text}`), find('GET', `/media/${text}`)];
    },
    shapes: { ...characters('/%.-_'), ...filled({ keys: 'rg_', parts: 'a/', digits: '1.' }) },
  },
  'path of a medium': {
    load: async () => {
      const { parseMediaPath } = await import('../../domains/assets/media-address.ts');
      return (text) => [parseMediaPath(text), parseMediaPath(`s/${text}`), parseMediaPath(`downloads/${text}`)];
    },
    shapes: { ...characters('/%.-'), parts: filledWith('a/') },
  },
  Range: {
    load: async () => {
      const { parseRange } = await import('../../domains/delivery/files/byte-range.ts');
      return (text) => [parseRange(text, 100), parseRange(`bytes=${text}`, 100)];
    },
    shapes: filled({ digits: '0', ranges: '0-1,', dashes: '-' }),
  },
  'Content-Range': {
    load: async () => {
      const { sentRangeOf } = await import('../../domains/ingest/uploads/transfer/put-part.ts');
      return (text) => sentRangeOf(requestWith({ 'content-range': `bytes ${text}` }));
    },
    shapes: filled({ digits: '0', stars: '*/' }),
  },
  'If-None-Match and If-Range': {
    load: async () => {
      const { ifRangeHolds, matchesEtag } = await import('../../domains/delivery/files/byte-range.ts');
      const { isKnown } = await import('../../http/web/etags.ts');
      return (text) => [isKnown(text, '"a"'), matchesEtag(text, '"a"'), ifRangeHolds(text, '"a"', 0)];
    },
    shapes: filled({ tags: '"b", ', weak: 'W/', commas: ',' }),
  },
  'Idempotency-Key': {
    load: async () => {
      const { fingerprintOf, readIdempotencyKey } = await import('../../gql/idempotency/idempotency-keys.ts');
      return (text) => [fingerprintOf({ query: text, variables: { a: [...text] } }), readIdempotencyKey(text)];
    },
  },
  'X-Request-ID': { load: async () => (await import('../../http/request-context.ts')).requestIdOf },
  'X-Forwarded-For': {
    load: async () => {
      const { clientAddressOf } = await import('../../http/request-context.ts');
      const socket = { remoteAddress: '127.0.0.1' };
      return (text) =>
        clientAddressOf({ socket, headers: { 'x-forwarded-for': text } } as unknown as IncomingMessage, true);
    },
    shapes: filled({ commas: ',', addresses: '1.1.1.1, ', colons: ':' }),
  },
  'User-Agent': {
    load: async () => (await import('../../domains/engagement/viewers/client-details.ts')).clientFactsOf,
    shapes: filled({ products: 'a/1 ', slashes: '/', parentheses: '(', bots: 'bot' }),
  },
  'Stripe-Signature': {
    load: async () => {
      const { checkStripeSignature } = await import('../../domains/accounts/payments/stripe-signature.ts');
      return (text) => checkStripeSignature(Buffer.from(''), text, 'secret', 0);
    },
    shapes: filled({ parts: 'v1=a,', commas: ',', equals: '=' }),
  },
  'sites that may play': {
    load: async () => {
      const { isAllowedSite, siteOf } = await import('../../domains/delivery/playback/allowed-sites.ts');
      return (text) => [
        isAllowedSite([text, `*.${text}`], 'example.com'),
        siteOf(requestWith({ origin: `https://${text}` }), 'https://example.com', null),
      ];
    },
    shapes: characters('.*:'),
  },
  'playback token': {
    load: async () => (await import('../../domains/delivery/playback/playback-token.ts')).keyIdOf,
    shapes: characters('.=-'),
  },
  'redirect URIs': {
    load: async () => {
      const { prepareRegistration } = await import('../../domains/accounts/oauth/oauth-registration.ts');
      return (text) => prepareRegistration({ redirect_uris: [`https://${text}`], client_name: text });
    },
    shapes: filled({ dots: '.', stars: '*', slashes: '/', controls: '\u0001' }),
  },
  'address of a client': {
    load: async () => {
      const { isDocumentAddress } = await import('../../domains/accounts/oauth/metadata-document.ts');
      return (text) => isDocumentAddress(`https://${text}`);
    },
    shapes: characters('./%'),
  },
  'host of an address': {
    load: async () => (await import('../../platform/fetch/public-address.ts')).isPublicAddress,
    shapes: characters('.:%0'),
  },
  'choice of tools': {
    load: async () => {
      const { choiceOf } = await import('../../mcp/choice.ts');
      return (text) => choiceOf(new URLSearchParams(), { 'x-mcp-toolsets': text });
    },
    shapes: characters(','),
  },
  'words of a search for tools': {
    load: async () => {
      const { didYouMean, wordsOf } = await import('../../mcp/registry/words.ts');
      return (text) => [wordsOf(text), didYouMean(text, ['title', 'summary'])];
    },
    shapes: filled({ humps: 'aB', underscores: '_', plurals: 'aaas ' }),
  },
  'address of a resource': {
    load: async () => (await import('../../mcp/resources.ts')).kindOfResource,
    shapes: characters(':/'),
  },
} as const satisfies Readonly<Record<string, TextParser>>;
