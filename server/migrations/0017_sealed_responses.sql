-- Responses are encrypted from now on. Repetitions of a mutation from before are refused instead of executed again.
update idempotency_keys set state = 'RUNNING', committed = true, response = null, lease_until = now()
  where state = 'COMPLETED';
alter table idempotency_keys alter column response type bytea using null;
comment on column idempotency_keys.response is 'The response as sent, encrypted with AES-256-GCM.';
