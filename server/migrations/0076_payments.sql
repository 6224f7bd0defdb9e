-- Customers at the payment provider. subscription_id: the subscription that decides the plan of the account.
create table payment_customers (
  account_id uuid primary key references accounts on delete cascade,
  customer_id text not null unique,
  subscription_id text,
  created_at timestamptz not null
);

-- Events of the provider that were processed, so that each is processed once.
create table payment_events (
  id text primary key,
  type text not null,
  received_at timestamptz not null
);
create index payment_events_age on payment_events (received_at);
