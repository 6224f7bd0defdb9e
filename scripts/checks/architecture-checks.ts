import { glob, readFile } from 'node:fs/promises';

interface ArchitectureRule {
  readonly about: string;
  readonly pattern: RegExp;
  /** Files that may contain it. */
  readonly allowed: RegExp;
}

/** Rules that an import graph cannot check. Tests are exempt. */
const RULES: readonly ArchitectureRule[] = [
  {
    about: 'reads the environment outside platform/config',
    pattern: /\bprocess\.env\b/,
    allowed: /^server\/src\/(main|admin)\.ts$|^server\/src\/platform\/(config|db)\//,
  },
  {
    about:
      'loads sharp, and with it libvips, into a process of the ' +
      'platform: only the programs of media/images may (ADR 0038)',
    pattern: /\b(from|import|require)\s*\(?\s*['"](sharp|@img\/)/,
    allowed: /^server\/src\/media\/images\/(decoder|animation)-program\.mjs$/,
  },
  {
    about:
      'loads ONNX Runtime into a process of the platform: only the programs of packages/upscale ' +
      'and packages/speech may (ADR 0076)',
    pattern: /\b(from|import|require)\s*\(?\s*['"]onnxruntime-/,
    allowed: /^packages\/(upscale\/src\/model-session|speech\/src\/voice-activity)\.mjs$/,
  },
  {
    about: 'contains SQL outside a store, predicates (*.sql.ts), gql, platform or the planner',
    pattern:
      /['"`]\s*(with\s+\w+\s+as\s*\(|insert into\s+\w+|delete from\s+\w+|update\s+\w+\s+set\s|select\s[\s\S]{1,300}?\bfrom\s+\w+)/,
    allowed: /\.(store|sql)\.ts$|^server\/src\/(platform|gql)\/|^packages\/sql-planner\//,
  },
  {
    about:
      'asks what an account may see, whatever its token is limited to: statements outside a request take the scope ' +
      'of the viewer, viewerRow and SCOPED (ADR 0137)',
    pattern: /\bcredential: '(key|token|oauth|session)'|\bchannel_members\b[^`;]{0,200}?\baccount_id = (any\()?\$\d/,
    // Members and tokens themselves, the account's own archive, its own cards, and the recipient of a message.
    allowed: new RegExp(
      '^server/src/(gql|domains/channels/members|domains/accounts)/|/archives/archive-parts\\.sql\\.ts$' +
        '|/ingest/watch-events\\.store\\.ts$|/notifications/mail-notifications\\.store\\.ts$',
    ),
  },
  {
    about: 'contains more SQL than columns and comparisons: fields name queries and conditions of *.sql.ts',
    pattern: /['"`(]\s*select\s|\bexists\s*\(|\bcase when\b|\bcoalesce\(/,
    allowed: /(?<!\.graphql)\.m?ts$/,
  },
];

/** One line per violation: file, line and rule. */
export async function findArchitectureViolations(): Promise<string[]> {
  const errors: string[] = [];
  for await (const file of glob('{server,packages/*}/src/**/*.{ts,mjs}')) {
    if (/\/testing\/|\.(test|fixture)\.ts$|\/testing\.ts$|\.contract\.ts$/.test(file)) continue;
    const text = await readFile(file, 'utf8');
    for (const rule of RULES) {
      const match = rule.allowed.test(file) ? null : rule.pattern.exec(text);
      if (match) errors.push(`${file}:${text.slice(0, match.index).split('\n').length} ${rule.about}`);
    }
  }
  return errors.sort();
}
