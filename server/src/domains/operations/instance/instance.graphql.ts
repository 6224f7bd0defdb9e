import { type Graph, ifRevisionField, type RequestEnv } from '../../../gql/index.ts';
import { FEATURE_NAMES, FEATURES, type FeatureName } from '../../../kernel/features.ts';
import { DEFAULT_NAME, logoPath, readInstance } from '../../../platform/instance/instance-settings.ts';
import { MAX_LEGAL_TEXT, readLegalTexts } from './legal-texts.ts';
import { MAX_LOGO_BYTES } from './logo.ts';
import { declarePlanQuotas, planQuotas } from './plan-quotas.graphql.ts';
import { MAX_NAME, updateInstance } from './update-instance.ts';

const MARKDOWN = `Markdown of at most ${MAX_LEGAL_TEXT.toLocaleString('en')} characters; it replaces an address.`;

/** Declares the settings of the server, which everyone may read, and operators change. */
export function declareInstance(graph: Graph): void {
  const types = declareTypes(graph);
  const { Instance } = types;
  graph.queryResolve('instance', {
    access: 'public',
    type: Instance,
    description: 'Settings of this server.',
    resolve: (env) => read(env),
  });
  const UpdateInstanceInput = declareUpdateInput(graph, types);
  graph.mutation('updateInstance', {
    access: 'server:manage',
    description: 'Changes settings of this server for all its processes at once. For signed-in operators.',
    payload: (f) => ({ instance: f.value({ type: Instance, description: 'The settings.' }) }),
    args: (t) => ({ input: t.field({ type: UpdateInstanceInput, required: true, description: 'The changes.' }) }),
    command: async (context, { input }) => {
      await updateInstance(context, input);
      return { instance: await read(context) };
    },
  });
}

function declareTypes(graph: Graph) {
  const enums = declareEnums(graph);
  const { PlanQuotas, PlanQuotasInput } = declarePlanQuotas(graph);
  const Instance = declareSettings(graph, { ...enums, PlanQuotas });
  return { ...enums, PlanQuotasInput, Instance };
}

type Types = ReturnType<typeof declareTypes>;

function declareEnums(graph: Graph) {
  const SignUpPolicy = graph.builder.enumType('SignUpPolicy', {
    description: 'Who may create an account.',
    values: {
      OPEN: { description: 'Everyone.' },
      INVITE: { description: 'Who has an invitation.' },
      CLOSED: { description: 'Nobody; operators create accounts.' },
    } as const,
  });
  const ServerFeature = graph.builder.enumType('ServerFeature', {
    description: 'Something that operators can switch off; what exists stays.',
    values: Object.fromEntries(FEATURE_NAMES.map((name) => [name, { description: FEATURES[name].about }])) as Record<
      FeatureName,
      { description: string }
    >, // fromEntries widens the keys
  });

  return { SignUpPolicy, ServerFeature };
}

function declareSettings(
  graph: Graph,
  {
    SignUpPolicy,
    ServerFeature,
    PlanQuotas,
  }: ReturnType<typeof declareEnums> & Pick<ReturnType<typeof declarePlanQuotas>, 'PlanQuotas'>,
) {
  const Logo = graph.object('Logo', {
    description: 'The logo of this server, a PNG.',
    fields: (f) => ({
      url: f.value({ type: 'URL', description: 'Its address; another logo has another one.' }),
      width: f.value({ type: 'Int', description: 'Width in pixels.' }),
      height: f.value({ type: 'Int', description: 'Height in pixels.' }),
    }),
  });
  const LegalText = graph.object('LegalText', {
    description: 'A text that this server shows as a page.',
    fields: (f) => ({
      markdown: f.value({ type: 'String', description: 'The text, in Markdown. HTML in it is shown as text.' }),
      changedAt: f.value({ type: 'DateTime', description: 'When it was changed last.' }),
    }),
  });
  return graph.object('Instance', {
    description: 'Settings of this server.',
    fields: (f) => ({
      name: f.value({ type: 'String', description: `Its name; ${DEFAULT_NAME} by default.` }),
      signUp: f.value({ type: SignUpPolicy, description: 'Who may create an account; SIGN_UP by default.' }),
      termsUrl: f.value({ type: 'URL', nullable: true, description: 'Address of its terms of service.' }),
      privacyUrl: f.value({ type: 'URL', nullable: true, description: 'Address of its privacy policy.' }),
      termsText: f.value({
        type: LegalText,
        nullable: true,
        description: 'The terms of service, where this server shows them itself.',
      }),
      privacyText: f.value({
        type: LegalText,
        nullable: true,
        description: 'The privacy policy, where this server shows it itself.',
      }),
      featuresOff: f.value({
        type: [ServerFeature],
        description: 'What is switched off: the mutations that add to it or start it are UNAUTHORIZED.',
      }),
      accentColor: f.value({
        type: 'String',
        nullable: true,
        description: 'Color of buttons and links, as #rrggbb; null for the default.',
      }),
      logo: f.value({
        type: Logo,
        nullable: true,
        description: 'Shown beside its name, and as the icon of browser tabs if it is square; null for the default.',
      }),
      planQuotas: f.value({ type: [PlanQuotas], description: 'One for each plan, and for trials: its quotas.' }),
      revision: f.value({
        type: 'Int',
        description: 'Number of these settings, which increases when they change; for ifRevision of updateInstance.',
      }),
    }),
  });
}

function declareUpdateInput(graph: Graph, { SignUpPolicy, ServerFeature, PlanQuotasInput }: Types) {
  return graph.builder.inputType('UpdateInstanceInput', {
    description: 'Changes of the settings: an omitted field keeps its value, null restores the default.',
    fields: (t) => ({
      name: t.string({ description: `Its name, at most ${MAX_NAME} characters.` }),
      signUp: t.field({ type: SignUpPolicy, description: 'Who may create an account.' }),
      termsUrl: t.field({
        type: 'URL',
        description: 'Address of the terms of service, https only; it replaces a text.',
      }),
      privacyUrl: t.field({
        type: 'URL',
        description: 'Address of the privacy policy, https only; it replaces a text.',
      }),
      termsText: t.string({ description: `Terms of service, shown at /terms. ${MARKDOWN}` }),
      privacyText: t.string({ description: `Privacy policy, shown at /privacy. ${MARKDOWN}` }),
      featuresOff: t.field({
        type: [ServerFeature],
        description: 'All that is to be switched off; the rest is switched on.',
      }),
      accentColor: t.string({
        description:
          'Color of buttons and links, as #rrggbb. Pages show it a little lighter or darker where text needs ' +
          'that; one that would become another color is refused.',
      }),
      logo: t.string({
        description:
          `The file of a logo in base64: PNG, WebP or JPEG, at most ${MAX_LOGO_BYTES.toLocaleString('en')} bytes, ` +
          'from half as wide to five times as wide as it is high. SVG is refused.',
      }),
      planQuotas: t.field({
        type: [PlanQuotasInput],
        description: 'Changes of the quotas of plans; null changes none.',
      }),
      ifRevision: ifRevisionField(t, 'the settings'),
    }),
  });
}

/** The settings as `Instance` shows them. */
async function read({ services, baseUrl }: Pick<RequestEnv, 'services' | 'baseUrl'>) {
  const { signUp, ...rest } = await readInstance(services.operations);
  const { terms = null, privacy = null } = await readLegalTexts(services.operations.db);
  return {
    ...{ ...rest, signUp: signUp.toUpperCase(), planQuotas: planQuotas(rest.planQuotas) },
    ...{ logo: rest.logo && { ...rest.logo, url: `${baseUrl}${logoPath(rest.logo)}` } },
    ...{ termsText: terms, termsUrl: terms ? `${baseUrl}/terms` : rest.termsUrl },
    ...{ privacyText: privacy, privacyUrl: privacy ? `${baseUrl}/privacy` : rest.privacyUrl },
  };
}
