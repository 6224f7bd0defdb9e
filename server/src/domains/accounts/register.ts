import type { IncomingMessage } from 'node:http';
import { accountInScope } from '../../gql/account-in-scope.ts';
import type { Authorize, Credential, UsageLimits, Viewer, ViewerSource } from '../../gql/index.ts';
import { AppError } from '../../kernel/errors.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { t } from '../../kernel/languages/message.ts';
import type { Permission } from '../../kernel/permissions.ts';
import { mailHandler } from '../../platform/mail/mail.ts';
import { mailFolder } from '../../platform/mail/open-mail-transport.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Repeated, repeat } from '../../platform/repeat.ts';
import type { Route } from '../../platform/routing.ts';
import { findAccountById, languageOfAddress } from './accounts.store.ts';
import {
  reinstateAccount,
  sendAccountPasswordReset,
  setAccountPlan,
  suspendAccount,
} from './administration/administer-account.ts';
import { forgetAttempts } from './attempts/attempts.store.ts';
import { type Attempts, attemptsOf } from './attempts/attempts.ts';
import { settleClosedAccounts } from './closing/close-account.ts';
import { closingRoutes } from './closing/closing.routes.ts';
import { confirmationRoutes } from './confirmation/confirmation.routes.ts';
import { forgetConfirmations } from './confirmation/email-confirmations.store.ts';
import { forgetPendingSignUps } from './confirmation/pending-sign-ups.store.ts';
import { StoredKeyWatch } from './keys/api-key-audit-log.ts';
import { noteKeyUses } from './keys/api-keys.store.ts';
import { changeUsageLimits } from './keys/change-usage-limits.ts';
import { generateApiKey } from './keys/generate-api-key.ts';
import { authorizeViewer } from './keys/key-access.policy.ts';
import { KeyUses } from './keys/last-used.ts';
import { regenerateApiKey } from './keys/regenerate-api-key.ts';
import { revealApiKey } from './keys/reveal-api-key.ts';
import { oauthRoutes } from './oauth/oauth.routes.ts';
import { oauthApplications } from './oauth/oauth-applications.ts';
import { connectionRoutes } from './oauth/oauth-connections.routes.ts';
import { oauthIssuer } from './oauth/oauth-tokens.ts';
import { forgetActions } from './operator-actions/operator-actions.store.ts';
import { forgetInvitations } from './operators/invitations.store.ts';
import { createInvitation, revokeInvitation } from './operators/invitations.ts';
import { claimOperator } from './operators/operator-code.ts';
import { provePassword } from './passwords/prove-password.ts';
import { openPayments } from './payments/open-payments.ts';
import type { PaymentProvider } from './payments/payment-provider.ts';
import { paymentRoutes } from './payments/payments.routes.ts';
import { forgetPaymentEvents } from './payments/payments.store.ts';
import { openBillingPortal, startCheckout } from './payments/start-payment.ts';
import { forgetResets } from './recovery/password-resets.store.ts';
import { recoveryRoutes } from './recovery/recovery.routes.ts';
import { requireViewer } from './require-viewer.ts';
import type { AccountsServices, CostPoints } from './services.ts';
import { authRoutes } from './sessions/auth.routes.ts';
import { createAuth } from './sessions/auth.ts';
import { forgetBrowsers } from './sessions/known-browsers.store.ts';
import { forgottenSessionCookie, sessionTokenReader } from './sessions/session-cookie.ts';
import { updateProfile, updateSettings } from './settings/update-profile.ts';
import { oidcRoutes } from './single-sign-on/oidc.routes.ts';
import { forgetLogoutTokens } from './single-sign-on/oidc-sessions.store.ts';
import { openProviders, watchGroups } from './single-sign-on/open-providers.ts';
import { startTrial } from './subscriptions/change-subscription.ts';
import { explainRefusal } from './suspension/suspension.ts';
import { createToken } from './tokens/create-token.ts';
import { credentialReader } from './tokens/find-credential.ts';
import { revokeToken } from './tokens/revoke-token.ts';
import { forgetTokens, noteTokenUses } from './tokens/tokens.store.ts';
import { viewerSource } from './viewer.sql.ts';

/** What the accounts domain provides to the edge, the engine and other domains. */
export interface Accounts {
  /** API: preloads the sign-in library, so that the first sign-in does not wait for it. */
  openSignIn(): Promise<void>;
  /** Sign-up, sign-in, sessions and OAuth under /api/auth. */
  readonly routes: Route[];
  readonly viewerSource: ViewerSource;
  readonly authorize: Authorize;
  /** Records the last use of keys and tokens; call it for every authenticated viewer. Never waits, never throws. */
  onViewer(viewer: Viewer, nowMs: number): void;
  /** Writes the recorded uses; this also happens automatically soon and on stop. */
  writeKeyUses(): Promise<void>;
  /** Credential of a bearer key, scoped token or access token. Throws UNAUTHENTICATED for malformed credentials. */
  credentialFromKey(key: string): Credential;
  /** As `credentialFromKey`, for requests: also finds rows with the HMAC of an earlier SECRET_KEY. */
  findCredential(key: string): Credential | Promise<Credential>;
  /** Who issues access tokens. */
  readonly issuer: string;
  /** Token of a genuine session cookie, or null. */
  sessionTokenFrom(request: IncomingMessage): string | null;
  /** Set-Cookie value that clears the session cookie. */
  readonly forgottenSessionCookie: string;
  /** For endpoints other than GraphQL; see require-viewer.ts. */
  requireViewer(credential: Credential, permission: Permission): Promise<Viewer>;
  /** See suspension.ts. */
  explainRefusal(credential: Credential): Promise<AppError | null>;
  /** `services.accounts` of the engine. */
  readonly services: AccountsServices;
  /** Usage limits of keys, and their audit log. */
  readonly keyWatch: UsageLimits;
  /** Worker: delivers mail and deletes expired records. */
  startWork(): Promise<void>;
  /** Writes what is pending and closes connections. */
  stop(): Promise<void>;
}

export interface AccountsOptions {
  /** The database that `platform.db` is connected to: the sign-in library has a pool of its own. */
  readonly databaseUrl: string;
  /** Version of this server. */
  readonly version: string;
  /** Cost points of an account on this instance, from the engine that serves this domain's fields. */
  readonly quotaOf: (accountId: string) => CostPoints;
}

type Needs = Pick<Platform, 'config' | 'clock' | 'log' | 'db' | 'secrets' | 'jobs'>;

const FORGET_MS = 3_600_000;
const CLOSING_MS = 60_000;

/** Builds the domain. */
export function registerAccounts(platform: Needs, options: AccountsOptions): Accounts {
  const auth = createAuth(platform, options.databaseUrl);
  const uses = useRecorder(platform);
  const keyWatch = new StoredKeyWatch(platform);
  const attempts = attemptsOf(platform);
  const payments = openPayments(platform);
  const signOn = openProviders(platform);
  const groups = watchGroups(platform, signOn.providers);
  const forgetting = expirySweep(platform);
  const closing = repeat(platform.log, 'closed accounts were not hidden or deleted, will be retried', CLOSING_MS, () =>
    settleClosedAccounts(platform),
  );
  const { secrets, config } = platform;
  const baseUrl = config.BASE_URL;
  const sessionTokenFrom = sessionTokenReader(secrets, baseUrl);
  const applications = oauthApplications(platform);
  const credentials = credentialReader(platform);
  return {
    openSignIn: () => auth.open(),
    routes: [
      ...authRoutes({ auth, platform, attempts, sessionTokenFrom }),
      ...paymentRoutes(platform, payments.provider),
      ...recoveryRoutes({ platform, attempts }),
      ...closingRoutes({
        platform,
        attempts,
        sessionTokenFrom,
        forgottenCookie: forgottenSessionCookie(baseUrl),
      }),
      ...confirmationRoutes({ auth, platform, attempts, sessionTokenFrom }),
      ...oidcRoutes({ auth, platform, attempts, sessionTokenFrom, providers: signOn.providers }),
      ...oauthRoutes({ auth, applications, baseUrl }),
      ...connectionRoutes({ platform, applications, sessionTokenFrom }),
    ],
    viewerSource,
    authorize: authorizeViewer,
    onViewer: uses.note,
    writeKeyUses: async () => {
      await Promise.all([uses.flush(), keyWatch.flush()]);
    },
    credentialFromKey: credentials.read,
    findCredential: credentials.find,
    issuer: oauthIssuer(baseUrl),
    sessionTokenFrom,
    forgottenSessionCookie: forgottenSessionCookie(baseUrl),
    async requireViewer(credential, permission) {
      const viewer = await requireViewer(platform, credential, permission);
      uses.note(viewer, platform.clock.now());
      return viewer;
    },
    explainRefusal: (credential) => explainRefusal(platform, credential),
    services: servicesOf(platform, attempts, payments.provider, options),
    keyWatch,
    async startWork() {
      keyWatch.startWork();
      forgetting.start();
      closing.start();
      groups.start();
      await platform.jobs.work(mailHandler(platform, undefined, (address) => languageOfAddress(platform.db, address)));
    },
    async stop() {
      await uses.stop();
      await keyWatch.close();
      await forgetting.stop();
      await closing.stop();
      await groups.stop();
      await signOn.close();
      await auth.close();
      await payments.close();
    },
  };
}

/** Records when keys and tokens were last used. */
function useRecorder(platform: Needs) {
  const keyUses = new KeyUses({
    db: platform.db,
    clock: platform.clock,
    note: noteKeyUses,
    onError: (error) =>
      platform.log.warn({ error }, 'The last use of keys could not be written; will be retried with the next.'),
  });
  const tokenUses = new KeyUses({
    db: platform.db,
    clock: platform.clock,
    note: noteTokenUses,
    onError: (error) =>
      platform.log.warn({ error }, 'The last use of tokens could not be written; will be retried with the next.'),
  });
  return {
    /** A key or token refused because of the plan is not recorded as used. */
    note(viewer: Viewer, nowMs: number): void {
      if (viewer.credential !== 'key' && !viewer.token) return;
      if (authorizeViewer(viewer, 'public', nowMs).kind === 'deny') return;
      if (viewer.token) tokenUses.touch(viewer.token.id);
      else keyUses.touch(viewer.accountId);
    },
    async flush() {
      await Promise.all([keyUses.flush(), tokenUses.flush()]);
    },
    async stop() {
      await keyUses.stop();
      await tokenUses.stop();
    },
  };
}

/** Deletes what has expired. */
function expirySweep(platform: Needs): Repeated {
  return repeat(
    platform.log,
    'old attempts, invitations, links and tokens were not deleted, will be retried',
    FORGET_MS,
    async () => {
      const now = new Date(platform.clock.now()).toISOString();
      await Promise.all([
        forgetAttempts(platform.db, now),
        forgetInvitations(platform.db, now),
        forgetTokens(platform.db, now),
        forgetResets(platform.db, now),
        forgetBrowsers(platform.db, now),
        forgetPendingSignUps(platform.db, now),
        forgetConfirmations(platform.db, now),
        forgetActions(platform.db, now),
        forgetPaymentEvents(platform.db, now),
        forgetLogoutTokens(platform.db, now),
      ]);
      return false;
    },
  );
}

function servicesOf(
  platform: Needs,
  attempts: Attempts,
  payments: PaymentProvider | null,
  { version, quotaOf }: AccountsOptions,
): AccountsServices {
  // Viewers carry the id of their account as a plain string.
  const own = (id: string) => id as AccountId;
  return {
    serverVersion: version,
    quotaOf: (viewer) => quotaOf(accountInScope(viewer)),
    generateApiKey: (id) => generateApiKey(platform, own(id)),
    regenerateApiKey: (id) => regenerateApiKey(platform, own(id)),
    revealApiKey: (id) => revealApiKey(platform, own(id)),
    createToken: (id, input) => createToken(platform, own(id), input),
    revokeToken: (id, token) => revokeToken(platform, own(id), token),
    provePassword: (id, password) => provePassword(platform, attempts, own(id), password),
    offers: payments?.offers ?? [],
    startCheckout: (id, offer) => startCheckout(platform, payments, own(id), offer),
    openBillingPortal: (id) => openBillingPortal(platform, payments, own(id)),
    claimOperator: (id, code) => claim(platform, attempts, own(id), code),
    createInvitation: (id, input, language) =>
      createInvitation(platform, { accountId: own(id), language, jobs: platform.jobs }, input, 'input.'),
    revokeInvitation: (id) => revokeInvitation(platform, id),
    suspendAccount: (operator, id, reason) => suspendAccount(platform, operator, id, reason),
    reinstateAccount: (operator, id) => reinstateAccount(platform, operator, id),
    sendPasswordReset: (operator, id) => sendAccountPasswordReset(platform, operator, id),
    setAccountPlan: (operator, id, input) => setAccountPlan(platform, operator, id, input),
    mailMessages: {
      async list() {
        if (platform.config.MAIL === 'smtp') return [];
        const { listMailFolder } = await readingMail();
        return listMailFolder(mailFolder(platform.config));
      },
      async read(ids) {
        const { readMailFolder } = await readingMail();
        return readMailFolder(mailFolder(platform.config), ids);
      },
    },
    startTrial: (id) => startTrial(platform, own(id)),
    setKeyBudgets: (id, input, env) => changeUsageLimits(platform.db, id, input, env),
    updateProfile: (id, input, env) => updateProfile(platform.db, id, input, env),
    updateSettings: (id, input, env) => updateSettings(platform.db, id, input, env),
  };
}

/** The parser of messages is loaded by operators only. */
function readingMail() {
  return import('../../platform/mail/read-folder.ts');
}

/** Claims the operator role; a wrong code counts as an attempt. */
async function claim(platform: Needs, attempts: Attempts, accountId: AccountId, code: string): Promise<void> {
  const account = await findAccountById(platform.db, accountId);
  if (!account) throw new AppError('UNAUTHENTICATED', t`This account does not exist any more.`);
  const attempt = await attempts.operatorCode(accountId);
  await claimOperator(platform, account, code);
  await attempt.succeeded();
}
