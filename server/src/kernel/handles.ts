import { AppError } from './errors.ts';
import { t } from './languages/message.ts';

/** Handles of channels, and usernames, which become handles. The same rule as the CHECK on accounts.username. */
const HANDLE = /^[A-Za-z0-9_][A-Za-z0-9_.-]{1,38}$/;

/** Reserved names: parts of the service in addresses, and names that could impersonate its operators. */
export const RESERVED_HANDLES: ReadonlySet<string> = new Set(
  `about account accounts admin administrator analytics api assets auth billing blog categories category channel
    channels comments contact
   content contents dashboard developer developers docs embed episode explore favicon.ico feature features feed feeds
     genres graphql healthz
   help history home images legal library live login logout mcp me media metrics miniserie moderator new node
     notifications null oembed
   official playlist playlists plans privacy ratings readyz reelgraph register robots.txt root rss search season
     security serie series
   settings short shorts sign-in sign-out sign-up signin signout signup sitemap.xml static status stream streams studio
     subscriptions
   support system team terms trending undefined upload uploads user users video videos watch webhooks
   well-known www`.split(/\s+/),
);

/** Whether a name has the form of a handle. */
export function isHandle(name: string): boolean {
  return HANDLE.test(name);
}

/** Path of a channel's page in the web application. */
export function handlePath(handle: string): string {
  return `/@${handle}`;
}

/** Whether the name is reserved; case-insensitive. */
export function isReservedHandle(name: string): boolean {
  return RESERVED_HANDLES.has(name.toLowerCase());
}

/** A handle as it is stored. Throws INVALID_INPUT with `field` for an invalid or reserved one. */
export function readHandle(value: string, field: string): string {
  const handle = value.trim();
  if (!isHandle(handle)) {
    throw new AppError(
      'INVALID_INPUT',
      t`A handle has 2 to 39 characters: letters, digits, underscore, dot and hyphen.`,
      {
        field,
        suggestedFix: t`Choose one like jane_doe, beginning with a letter, a digit or an underscore.`,
      },
    );
  }
  if (isReservedHandle(handle)) throw reserved(handle, field);
  return handle;
}

/** INVALID_INPUT for a reserved name. */
export function reserved(name: string, field: string): AppError {
  return new AppError('INVALID_INPUT', t`The name ${name} is reserved for the service.`, {
    field,
    suggestedFix: t`Choose a name that says who you are.`,
  });
}
