import { writeFileSync } from 'node:fs';
import { catalogPath, readCatalog, TRANSLATED } from './catalogs.ts';
import { allKeys, allUntranslated } from './sources.ts';

/**
 * `npm run messages`: removes unused translations from the catalogs, adds missing ones as empty texts, and lists texts
 * that are in no message.
 */
const keys = [...allKeys().keys()].sort();
for (const language of TRANSLATED) {
  const known = readCatalog(language);
  const catalog = Object.fromEntries(keys.map((key) => [key, known[key] ?? '']));
  writeFileSync(catalogPath(language), `${JSON.stringify(catalog, null, 2)}\n`);
  const missing = keys.filter((key) => !catalog[key]).length;
  console.log(`${language}: ${keys.length - missing} of ${keys.length} messages translated`);
}
for (const { file, line, text } of allUntranslated()) console.log(`web/${file}:${line} is in no message: ${text}`);
