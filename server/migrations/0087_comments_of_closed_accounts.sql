-- Comments of closed accounts are hidden, too: workers look at these accounts again.
update accounts set concealed_at = null where closed_at is not null;
