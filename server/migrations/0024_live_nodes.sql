-- Where other processes reach the one that receives a broadcast.
alter table broadcasts add column node text;
