alter table encode_chunks add column refusals smallint not null default 0;
comment on column encode_chunks.refusals is 'Attempts whose result did not pass verification.';
