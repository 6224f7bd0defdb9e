import { resolve } from 'node:path';
import { z } from 'zod';
import { hostOf, isLoopback, listenHostsOf } from './listen-hosts.ts';
import { describeOidcSettings, type OidcProviderSettings, readOidcProviders } from './oidc-settings.ts';
import { SECRET_SETTINGS, withSecretFiles } from './secret-files.ts';
import { isSecretKey } from './setting-checks.ts';
import { SETTINGS } from './settings.ts';

/** Who may create an account through the web application and its endpoint. */
export type SignUpMode = 'open' | 'invite' | 'closed';

type Settings = { [Name in keyof typeof SETTINGS]: z.infer<(typeof SETTINGS)[Name]['check']> };

type Resolved = 'BASE_URL' | 'DEMO' | 'HOST' | 'MAIL_FROM' | 'OIDC_PROVIDERS' | 'SANDBOX' | 'SIGN_UP';

export interface Config extends Omit<Settings, Resolved> {
  readonly BASE_URL: string;
  readonly MAIL_FROM: string;
  /** Addresses the HTTP server listens on; `::` and `0.0.0.0` mean all addresses. */
  readonly listenHosts: readonly string[];
  readonly SANDBOX: 'require' | 'prefer';
  readonly SIGN_UP: SignUpMode;
  /** Those of OIDC_PROVIDERS, in its order. */
  readonly oidcProviders: readonly OidcProviderSettings[];
  readonly demo: boolean;
}

/** All problems of the environment at once, one line each. */
export class ConfigError extends Error {
  constructor(errors: readonly string[]) {
    super(`Invalid settings:\n${errors.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Settings of which there are both or neither. */
const PAIRS = [
  ['YOUTUBE_CLIENT_ID', 'YOUTUBE_CLIENT_SECRET'],
  ['RTMPS_CERT_FILE', 'RTMPS_KEY_FILE'],
] as const;

/**
 * Parses the environment once at boot; an empty value counts as absent, and secrets can be in files. Throws
 * ConfigError.
 */
export function readConfig(given: Readonly<Record<string, string | undefined>>): Config {
  const { env, problems } = withSecretFiles(given);
  const present = Object.fromEntries(Object.keys(SETTINGS).flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const shape = z.object(Object.fromEntries(Object.entries(SETTINGS).map(([name, { check }]) => [name, check])));
  const parsed = shape.safeParse(present);
  const errors = parsed.success
    ? problems
    : [...problems, ...parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)];
  const oidc = readOidcProviders(env);
  errors.push(...oidc.problems);
  // The shape is built from SETTINGS, which is what Settings is derived from.
  const settings = (parsed.success ? parsed.data : {}) as Settings;
  if (settings.STORAGE === 's3') {
    for (const name of ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const) {
      if (!settings[name]) errors.push(`${name}: required with STORAGE=s3`);
    }
  }
  if (settings.MAIL === 'smtp' && !settings.SMTP_URL) errors.push('SMTP_URL: required with MAIL=smtp');
  if (settings.STRIPE_SECRET_KEY) {
    for (const name of ['STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICES'] as const)
      if (!settings[name]) errors.push(`${name}: required with STRIPE_SECRET_KEY`);
  }
  for (const [one, other] of PAIRS) {
    if ((settings[one] === undefined) === (settings[other] === undefined)) continue;
    errors.push(`${settings[one] === undefined ? one : other}: ${one} and ${other} go together`);
  }
  if (settings.SPEECH === 'openai' && !settings.SPEECH_URL) errors.push('SPEECH_URL: required with SPEECH=openai');
  if (settings.SPEECH === 'whisper-cpp' && !settings.WHISPER_CPP_MODEL)
    errors.push('WHISPER_CPP_MODEL: required with SPEECH=whisper-cpp');
  if (settings.TRANSLATION === 'openai') {
    for (const name of ['TRANSLATION_URL', 'TRANSLATION_MODEL'] as const)
      if (!settings[name]) errors.push(`${name}: required with TRANSLATION=openai`);
  }
  if (settings.SECRET_KEY && !isSecretKey(settings.SECRET_KEY)) errors.push('SECRET_KEY: must be 32 bytes in base64');
  if (errors.length > 0) throw new ConfigError(errors);
  const { HOST, SIGN_UP, DEMO: _, OIDC_PROVIDERS: __, ...rest } = settings;
  const BASE_URL = (settings.BASE_URL ?? `http://localhost:${settings.PORT}`).replace(/(?<!\/)\/+$/, '');
  const listenHosts = listenHostsOf(HOST, BASE_URL);
  // A proxy on the same machine also reaches a server on loopback, so the address alone does not prove that the server
  // is private.
  const isPrivate = listenHosts.every(isLoopback) && isLoopback(hostOf(BASE_URL)) && settings.TRUST_PROXY === 'off';
  return {
    ...rest,
    DATA_DIR: resolve(settings.DATA_DIR),
    BASE_URL,
    MAIL_FROM: settings.MAIL_FROM ?? `Reelgraph <no-reply@${hostOf(BASE_URL)}>`,
    listenHosts,
    SANDBOX: settings.SANDBOX ?? (settings.DATABASE_URL === undefined ? 'prefer' : 'require'),
    SIGN_UP: SIGN_UP ?? (isPrivate ? 'open' : 'invite'),
    oidcProviders: oidc.providers,
    demo: settings.DEMO === undefined ? settings.DATABASE_URL === undefined : settings.DEMO === 'on',
  };
}

/** Name, default and meaning of every setting, and whether it can be in a file, for the generated documentation. */
export function describeSettings(): { name: string; fallback: string; about: string; isSecret: boolean }[] {
  return Object.entries(SETTINGS).flatMap(([name, { check, about }]) => {
    const { data } = check.safeParse(undefined);
    const isSecret = SECRET_SETTINGS.includes(name);
    const setting = { name, fallback: data === undefined ? '' : String(data), about, isSecret };
    return name === 'OIDC_PROVIDERS' ? [setting, ...describeOidcSettings()] : [setting];
  });
}
