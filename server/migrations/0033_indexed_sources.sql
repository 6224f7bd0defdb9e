comment on column encode_plans.remuxed_key is
  'The copy that is encoded in place of the uploaded file: every moment of it is found by an index.';
