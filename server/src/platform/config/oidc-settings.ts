import { z } from 'zod';
import { PLANS, type PlanCode } from '../../kernel/plans.ts';
import { flag } from './setting-checks.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Plans that a group can give. */
const PAID: readonly string[] = Object.keys(PLANS).filter((plan) => plan !== 'FREE');
const PLAN_GROUP = new RegExp(`^(.+)=(${PAID.join('|')})$`);

/** Names separated by commas. */
const list = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Names of providers; each is a part of the names of settings and of addresses. */
export const OIDC_PROVIDERS = {
  check: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,29}(?:,\s*[a-z][a-z0-9]{0,29})*$/, 'names such as keycloak,authentik')
    .transform(list)
    .refine((names) => new Set(names).size === names.length, 'each name once')
    .default([]),
  about:
    'OpenID Connect providers with which people sign in: names of your choice, separated by commas, such as ' +
    'keycloak,authentik. Each has settings with its name in capitals; see "Single sign-on" in the guide to ' +
    'self-hosting.',
};

/** Settings of each provider: OIDC_, its name in capitals, and this. */
export const OIDC_PROVIDER_SETTINGS = {
  ISSUER: {
    check: z.url({ protocol: /^https?$/ }).refine((url) => !/[?#]/.test(url), 'an address without ? and #'),
    about:
      'Issuer of the provider, exactly as its discovery document names it, such as ' +
      'https://sso.example.com/realms/example. It may be in a private network; use https elsewhere.',
  },
  CLIENT_ID: { check: z.string().min(1), about: 'Id of the client of this server at the provider.' },
  CLIENT_SECRET: {
    secret: true,
    check: z.string().optional(),
    about: 'Secret of that client; without it, the client is a public one.',
  },
  LABEL: {
    check: z.string().max(40).optional(),
    about: 'Name of the provider on the sign-in page; default its name in OIDC_PROVIDERS.',
  },
  SCOPES: {
    check: z
      .string()
      .regex(/(?:^|\s)openid(?:\s|$)/, 'scopes with openid')
      .default('openid profile email'),
    about: 'Scopes, separated by spaces. Some providers return groups or refresh tokens with further ones only.',
  },
  TRUST_EMAIL: {
    check: flag.default('off'),
    about:
      'Whether all email addresses at the provider are verified although it does not say so; on only where people ' +
      'cannot change their address there by themselves.',
  },
  GROUPS_CLAIM: {
    check: z.string().min(1).default('groups'),
    about: 'Claim with the groups of a person; dots lead into objects, as in realm_access.roles.',
  },
  OPERATOR_GROUPS: {
    check: z.string().transform(list).default([]),
    about: 'Groups whose members are operators of this server, separated by commas.',
  },
  PLAN_GROUPS: {
    check: z
      .string()
      .transform(list)
      .refine((pairs) => pairs.every((pair) => PLAN_GROUP.test(pair)), `GROUP=PLAN, …, with ${PAID.join(', ')}`)
      .transform((pairs) =>
        pairs.map((pair) => {
          const [, group = '', plan = ''] = PLAN_GROUP.exec(pair) ?? [];
          return { group, plan: plan as Exclude<PlanCode, 'FREE'> }; // one of PAID
        }),
      )
      .default([]),
    about: 'Groups whose members have a plan, such as creators=CREATOR_PLUS,staff=PREMIUM; of several the highest.',
  },
} as const;

type ProviderSettingName = keyof typeof OIDC_PROVIDER_SETTINGS;
type ProviderSettings = {
  [Name in ProviderSettingName]: z.infer<(typeof OIDC_PROVIDER_SETTINGS)[Name]['check']>;
};

/** A provider as the operator set it. */
export interface OidcProviderSettings extends Omit<ProviderSettings, 'LABEL'> {
  /** Lower case. */
  readonly name: string;
  readonly LABEL: string;
}

const settingName = (provider: string, name: string) => `OIDC_${provider.toUpperCase()}_${name}`;

function namesIn(env: Environment): readonly string[] {
  const { data = [] } = OIDC_PROVIDERS.check.safeParse(env.OIDC_PROVIDERS || undefined);
  return data;
}

/** Names of the secret settings of the providers of this environment. */
export function oidcSecretSettings(env: Environment): string[] {
  return namesIn(env).map((provider) => settingName(provider, 'CLIENT_SECRET'));
}

/** The providers of this environment, and what is wrong with their settings. */
export function readOidcProviders(env: Environment): { providers: OidcProviderSettings[]; problems: string[] } {
  const problems: string[] = [];
  const shape = z.object(
    Object.fromEntries(Object.entries(OIDC_PROVIDER_SETTINGS).map(([name, { check }]) => [name, check])),
  );
  const providers = namesIn(env).flatMap((name) => {
    const given = Object.keys(OIDC_PROVIDER_SETTINGS).flatMap((key) => {
      const value = env[settingName(name, key)];
      return value ? [[key, value]] : [];
    });
    const parsed = shape.safeParse(Object.fromEntries(given));
    if (parsed.success) {
      // The shape is built from OIDC_PROVIDER_SETTINGS, which is what ProviderSettings is derived from.
      const settings = parsed.data as ProviderSettings;
      return [{ ...settings, name, LABEL: settings.LABEL ?? name }];
    }
    for (const { path, message } of parsed.error.issues) {
      const setting = settingName(name, path.join('.'));
      problems.push(`${setting}: ${env[setting] ? message : `required with ${name} in OIDC_PROVIDERS`}`);
    }
    return [];
  });
  const issuers = providers.map(({ ISSUER }) => ISSUER);
  if (new Set(issuers).size < issuers.length) problems.push('OIDC_PROVIDERS: each provider needs an issuer of its own');
  return { providers, problems };
}

/** The settings of a provider for the documentation. */
export function describeOidcSettings(): { name: string; fallback: string; about: string; isSecret: boolean }[] {
  return Object.entries(OIDC_PROVIDER_SETTINGS).map(([name, setting]) => {
    const { data } = setting.check.safeParse(undefined);
    const isSecret = 'secret' in setting;
    return {
      name: settingName('<name>', name),
      fallback: data === undefined ? '' : String(data),
      about: setting.about,
      isSecret,
    };
  });
}
