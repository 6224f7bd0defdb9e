-- Terms of service and privacy policy that this server shows itself, in Markdown. They replace the addresses.
create table instance_texts (
  kind text primary key check (kind in ('terms', 'privacy')),
  markdown text not null check (char_length(markdown) between 1 and 100000),
  changed_at timestamptz not null
);
