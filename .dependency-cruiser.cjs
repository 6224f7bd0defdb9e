// Who imports whom. Downwards only: main -> roles -> http, mcp, docs -> domains -> gql | media | platform -> kernel.
const MODULES = [
  'server/src/[^/]+\\.ts$',
  'server/src/roles/',
  'server/src/(http|mcp|docs)/',
  'server/src/domains/',
  'server/src/(gql|media|platform)/',
  'server/src/kernel/',
];
const DOMAINS = [
  'operations',
  'ai',
  'publishing',
  'integrations',
  'discovery',
  'engagement',
  'live',
  'social',
  'playlists',
  'catalog',
  'enhance',
  'ingest',
  'delivery',
  'transcode',
  'assets',
  'channels',
  'accounts',
];
const TESTS = '/testing/|\\.test\\.ts$|/testing\\.ts$|\\.fixture\\.ts$|\\.contract\\.ts$';

const upwards = MODULES.flatMap((module, level) =>
  level === 0
    ? []
    : [
        {
          name: `no-import-upwards-${level}`,
          severity: 'error',
          comment: 'A module may import only the modules below it.',
          from: { path: `^${module}`, pathNot: TESTS },
          to: { path: MODULES.slice(0, level).map((above) => `^${above}`) },
        },
      ],
);

const siblings = ['gql', 'media', 'platform'].map((module) => ({
  name: `no-sibling-${module}`,
  severity: 'error',
  comment: 'gql, media and platform never import each other.',
  from: { path: `^server/src/${module}/`, pathNot: TESTS },
  to: {
    path: ['gql', 'media', 'platform'].filter((other) => other !== module).map((other) => `^server/src/${other}/`),
  },
}));

const domains = DOMAINS.flatMap((domain, rank) => [
  // Nothing is above the first; an empty list would stand for everything.
  ...(rank === 0
    ? []
    : [
        {
          name: `${domain}-only-downwards`,
          severity: 'error',
          comment: `Between domains imports go only to the right of ${DOMAINS.join(' > ')}.`,
          from: { path: `^server/src/domains/${domain}/`, pathNot: TESTS },
          to: { path: DOMAINS.slice(0, rank).map((above) => `^server/src/domains/${above}/`) },
        },
      ]),
  {
    name: `${domain}-through-index`,
    severity: 'error',
    comment: 'Other domains see only index.ts.',
    from: { path: '^server/src/domains/', pathNot: `^server/src/domains/${domain}/|${TESTS}` },
    to: { path: `^server/src/domains/${domain}/`, pathNot: `^server/src/domains/${domain}/index\\.ts$` },
  },
]);

module.exports = {
  forbidden: [
    ...upwards,
    ...siblings,
    ...domains,
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'No cycles: type imports and tests included.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'edges-never-touch-stores',
      severity: 'error',
      from: { path: ['^server/src/(http|mcp|docs|roles)/', '\\.(graphql|routes)\\.ts$'] },
      to: { path: '\\.store\\.ts$' },
    },
    {
      name: 'no-account-in-resolvers',
      severity: 'error',
      comment: 'Fields that are resolved by hand know the scope of the viewer, not its account (ADR 0137).',
      from: { pathNot: `^server/src/domains/(accounts/register|publishing/services)\\.ts$|${TESTS}` },
      to: { path: '^server/src/gql/account-in-scope\\.ts$' },
    },
    {
      name: 'media-is-pure',
      severity: 'error',
      comment: 'Only the sandbox starts processes, and PostgreSQL.',
      from: { path: '^server/src/', pathNot: `^server/src/platform/db/local/|${TESTS}` },
      to: { path: '^packages/sandbox/src/core/spawn-program\\.ts$' },
    },
    {
      name: 'programs-inherit-nothing',
      severity: 'error',
      comment: 'Programs are started by one function, which passes on no inherited descriptors.',
      from: {
        path: '^(server|packages/[^/]+)/src/',
        pathNot: `^packages/sandbox/src/core/spawn-program\\.ts$|\\.fixture\\.mjs$|${TESTS}`,
      },
      to: { path: '^(node:)?child_process$' },
    },
    {
      name: 'kernel-stands-alone',
      severity: 'error',
      from: { path: '^server/src/kernel/', pathNot: TESTS },
      to: { dependencyTypes: ['npm'] },
    },
    { name: 'web-and-server-apart', severity: 'error', from: { path: '^web/src/' }, to: { path: '^server/' } },
    { name: 'server-and-web-apart', severity: 'error', from: { path: '^server/' }, to: { path: '^web/src/' } },
    {
      name: 'client-stands-alone',
      severity: 'error',
      comment: 'The client depends on nothing: no package, no other part of the repository.',
      from: { path: '^clients/typescript/src/', pathNot: TESTS },
      to: { pathNot: '^clients/typescript/src/|^(node:)?(fs|path)' },
    },
    {
      name: 'client-runs-in-browsers',
      severity: 'error',
      comment: 'Only what is imported as @reelgraph/client/node needs Node.',
      from: { path: '^clients/typescript/src/', pathNot: `^clients/typescript/src/node/|${TESTS}` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'client-by-its-name',
      severity: 'error',
      comment: 'Nothing is built on the sources of the client but its own tests.',
      from: { path: '^(server|web|bench|e2e)/' },
      to: { path: '^clients/typescript/' },
    },
    {
      name: 'cli-imports-only-the-client',
      severity: 'error',
      comment: 'The command line is built on the public API of the client, Commander and Node.',
      from: { path: '^cli/src/' },
      to: {
        pathNot: [
          '^cli/',
          '^clients/typescript/src/(node/)?index\\.ts$',
          '(^|/)node_modules/(@commander-js/extra-typings|commander)/',
        ],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'libraries-stand-alone',
      severity: 'error',
      comment: 'Libraries know nothing of the platform, their tests included; they may use each other.',
      from: { path: '^packages/' },
      to: {
        path: '^(server|web|clients|cli|scripts|bench|e2e|deploy)/',
        pathNot: '^scripts/test-runner/cases\\.ts$',
      },
    },
    {
      name: 'libraries-by-their-names',
      severity: 'error',
      comment: 'What is built on a library uses what it exports; its benchmark may use all of it.',
      from: { pathNot: `^(packages|bench)/|${TESTS}` },
      to: {
        path: '^packages/',
        pathNot: '^packages/[^/]+/src/(index|upmix-program|upscale-program|core/spawn-program)\\.ts$',
      },
    },
    {
      name: 'planner-under-gql',
      severity: 'error',
      comment: 'Domains declare for the planner through gql.',
      from: { path: '^(server/src/domains|server/src/kernel|server/src/platform|server/src/media)/', pathNot: TESTS },
      to: { path: '^packages/sql-planner/' },
    },
    { name: 'nothing-imports-the-cli', severity: 'error', from: { pathNot: '^cli/' }, to: { path: '^cli/' } },
    {
      name: 'production-installs-what-it-imports',
      severity: 'error',
      comment: 'npm start installs no devDependencies, and a workspace names what it imports itself.',
      from: { path: '^(server|web)/src/', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-test-in-product',
      severity: 'error',
      from: { path: '^(server|web|clients/typescript|cli|packages/[^/]+)/src/', pathNot: TESTS },
      to: { path: TESTS },
    },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(web|cli|(clients|packages)/[^/]+)/dist' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
