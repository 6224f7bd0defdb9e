-- A webhook can keep the order of the messages about one content.
alter table webhooks add column delivery_order text not null default 'PARALLEL'
  constraint webhooks_delivery_order_check check (delivery_order in ('PARALLEL', 'PER_CONTENT'));
alter table webhook_deliveries add column about_id uuid;
comment on column webhook_deliveries.about_id is
  'The content that the event is about, or else its subject: what a webhook may keep the order of; null for tests.';
create index webhook_deliveries_about on webhook_deliveries (webhook_id, about_id, event_id) where about_id is not null;
