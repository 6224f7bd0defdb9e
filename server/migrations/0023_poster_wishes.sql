-- Which request for a frame as the poster of a content counts: the last one, until it is fulfilled or another poster is chosen.
alter table contents add column poster_request_id uuid;
