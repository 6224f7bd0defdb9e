-- A code of an authenticator application is accepted once (RFC 6238, section 5.2).
alter table two_factors add column last_used_step bigint;
comment on column two_factors.last_used_step is
  'Of the last code that was accepted: number of its 30 s since 1970; it and earlier ones are refused.';
