import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type CountryResponse, Reader } from 'mmdb-lib';

/** ISO 3166-1 alpha-2 for addresses without a known country, such as private ones. */
export const UNKNOWN_COUNTRY = 'ZZ';

const DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';
let reader: Reader<CountryResponse> | null = null;

/**
 * The country an address is registered in, ISO 3166-1 alpha-2; ZZ where it is not known. The database (8 MB) is read on
 * first use.
 */
export function countryOf(address: string): string {
  reader ??= new Reader(readFileSync(createRequire(import.meta.url).resolve(DATABASE)));
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
  // The database holds {"country_code": "DE"}, which is flatter than the library's types.
  const found = reader.get(plain) as { country_code?: string } | null;
  return found?.country_code ?? UNKNOWN_COUNTRY;
}
