import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type InstalledPackage, reachedPackages } from './installed-packages.ts';

/**
 * Licenses that software of others in a release may have, by their SPDX identifiers: they allow to pass it on with the
 * platform, whatever license that gets. MPL-2.0 and LGPL-3.0-or-later are limited to files and libraries that are
 * passed on unchanged. Another license needs a decision before it comes here.
 */
const ACCEPTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
]);

/** Software of others in a release. */
export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  /** SPDX expression; null where the package does not say. */
  readonly license: string | null;
  /** Text of the license and of notices; empty where the package has none. */
  readonly text: string;
}

/** What Vite writes about packages of which something is in the web application (web/build.ts). */
interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly identifier?: string;
  readonly text?: string;
}

const TEXTS = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/**
 * Everything of others in a staged program (staging.ts): packages of npm that the server uses or of which parts are in
 * the web application, and Node, sorted by name.
 */
export function thirdParties(program: string): ThirdParty[] {
  const web = JSON.parse(readFileSync(join(program, 'web/dist/.bundled-packages.json'), 'utf8')) as BundledPackage[];
  const all = [
    node(program),
    ...reachedPackages(program, 'server').map(described),
    ...web.map(({ name, version, identifier = null, text = '' }) => ({ name, version, license: identifier, text })),
  ];
  const once = new Map(all.map((each) => [`${each.name}@${each.version}`, each]));
  return [...once.values()].sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

function node(program: string): ThirdParty {
  const { dependencies } = JSON.parse(readFileSync(join(program, 'package.json'), 'utf8')) as {
    dependencies: { node: string };
  };
  const text = readFileSync(join(program, 'bin/LICENSE.node'), 'utf8');
  return { name: 'node', version: dependencies.node, license: 'MIT', text };
}

function described({ name, version, license, folder }: InstalledPackage): ThirdParty {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => TEXTS.test(file)) : [];
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  return { name, version, license, text };
}

/** Packages with a license that is not accepted, or none, one line each. */
export function refusedLicenses(packages: readonly Pick<ThirdParty, 'name' | 'version' | 'license'>[]): string[] {
  return packages
    .filter(({ license }) => license === null || !isAccepted(license))
    .map(({ name, version, license }) => `${name}@${version}: ${license ?? 'no license'} is not an accepted license`);
}

/** SPDX expressions without exceptions (WITH): of alternatives one is enough, of joined ones all are needed. */
function isAccepted(expression: string): boolean {
  const text = expression.replace(/[()]/g, ' ').trim();
  return text.split(/\s+OR\s+/).some((each) => each.split(/\s+AND\s+/).every((id) => ACCEPTED.has(id.trim())));
}

/** The text of THIRD-PARTY-LICENSES. Packages with the same text share one. */
export function thirdPartyText(packages: readonly ThirdParty[]): string {
  const byText = new Map<string, ThirdParty[]>();
  for (const each of packages) byText.set(each.text, [...(byText.get(each.text) ?? []), each]);
  const parts = [...byText].map(([text, members]) => {
    const names = members.map(({ name, version, license }) => `${name} ${version} (${license})`);
    return [...names, '', text || 'The package contains no text of its license.'].join('\n');
  });
  const head = [
    'Software of others in this release of Reelgraph, with its licenses.',
    'The license of Reelgraph itself is in LICENSE.',
    '',
    'The container image also contains programs and libraries of Debian: their licenses are in',
    '/usr/share/doc/<package>/copyright of the image. The Debian package only depends on them.',
  ].join('\n');
  return `${[head, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
