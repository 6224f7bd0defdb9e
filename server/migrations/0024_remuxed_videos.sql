alter table encode_plans add column remuxed_key text;
comment on column encode_plans.remuxed_key is
  'The file that is encoded in place of the uploaded one: its copy in the package that is played meanwhile.';
