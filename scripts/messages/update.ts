import { readFileSync, writeFileSync } from 'node:fs';
import { catalogPath, TRANSLATED } from '../../web/i18n/catalogs.ts';
import { allKeys, allUntranslated } from '../../web/i18n/sources.ts';
import { serverCatalogPath, serverKeys } from './server-keys.ts';
import { placesIn, sourcesOfServer, writtenAt } from './text-places.ts';

/**
 * `npm run messages`: removes unused translations from the catalogs of the web application and of the server, adds
 * missing ones as empty texts, and lists texts that are in no message.
 */
const sources = sourcesOfServer();
update('web', [...allKeys().keys()], catalogPath);
update('server', [...serverKeys(sources).keys()], serverCatalogPath);
for (const { file, line, text } of allUntranslated()) console.log(`web/${file}:${line} is in no message: ${text}`);
for (const place of placesIn(sources).texts) console.log(`${writtenAt(place)} is in no message`);

function update(name: string, messages: readonly string[], pathOf: (language: string) => string): void {
  const keys = [...messages].sort();
  for (const language of TRANSLATED) {
    const known = JSON.parse(readFileSync(pathOf(language), 'utf8')) as Record<string, string>;
    const catalog = Object.fromEntries(keys.map((key) => [key, known[key] ?? '']));
    writeFileSync(pathOf(language), `${JSON.stringify(catalog, null, 2)}\n`);
    const missing = keys.filter((key) => !catalog[key]).length;
    console.log(`${name}, ${language}: ${keys.length - missing} of ${keys.length} messages translated`);
  }
}
