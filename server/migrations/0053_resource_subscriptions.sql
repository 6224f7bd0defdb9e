-- Resources that sessions of agents subscribed to (ADR 0104). session: a digest of the session's id; rows end with it.
create table resource_subscriptions (
  session text not null check (length(session) = 43),
  uri text not null check (length(uri) between 1 and 1000),
  expires_at timestamptz not null,
  primary key (session, uri)
);
create index resource_subscriptions_expiry on resource_subscriptions (expires_at);
