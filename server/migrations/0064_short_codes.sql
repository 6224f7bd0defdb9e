-- Codes of short addresses, /w/<code>: 66 random bits in the alphabet of base64url (RFC 4648 section 5).
alter table contents add column short_code text collate "C" not null
  default translate(left(encode(substr(uuid_send(gen_random_uuid()), 10) || substr(uuid_send(gen_random_uuid()), 1, 2),
    'base64'), 11), '+/', '-_')
  check (short_code ~ '^[A-Za-z0-9_-]{11}$');
create unique index contents_short_code on contents (short_code);
