-- Until when the room of an upload's missing bytes is promised to it: an hour from when it was opened, went on, or advanced (ADR 0047).
alter table ingestions add column reserved_until timestamptz not null default now() + interval '1 hour';
alter table ingestions add column reserved_at_bytes bigint not null default 0 check (reserved_at_bytes >= 0);
comment on column ingestions.reserved_until is 'After this the missing bytes of an open upload do not count against the room of the object store.';
comment on column ingestions.reserved_at_bytes is 'What had been received when the promise was extended; a hundredth of the file more extends it again.';
