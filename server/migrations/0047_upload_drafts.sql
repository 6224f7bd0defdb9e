-- A tus upload that names no content makes a draft, which goes again with the upload.
alter table ingestions add column drafted boolean not null default false;
comment on column ingestions.drafted is 'Whether its content was created for it: an upload that ends without a file removes it.';
