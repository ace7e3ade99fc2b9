with matched as materialized (
  select s.seq, s.id, s.updated_at, (((select ((select min(case when coalesce(fact -> 'w', fact -> 'q') ?| $1::text[] then $2::int when coalesce(fact -> 'w', fact -> 'q') ?| $3::text[] then $4::int end + case when coalesce(fact -> 'w', fact -> 'q') ?| $5::text[] then $6::int end) from jsonb_array_elements(d.facts -> $7::text) as f(fact))) from event_document d where d.seq = s.seq))) as edits
  from event_search s
  where (s.type = any($8::text[]) and ((s.terms && $9::bigint[] and s.terms && $10::bigint[]) and (select exists (select from jsonb_array_elements(d.facts -> $11::text) as f(fact) where (coalesce(fact -> 'w', fact -> 'q') ?| $12::text[] and coalesce(fact -> 'w', fact -> 'q') ?| $13::text[])) from event_document d where d.seq = s.seq)))
), page as (
  select * from matched order by edits, updated_at desc, id limit $14::bigint offset $15::bigint
)
select counted.total, event_document.body
from (select count(*) as total from matched) counted
left join (page join event_document using (seq)) on true
order by edits, updated_at desc, id
-- $1 ["musonda"]
-- $2 0
-- $3 ["musunda"]
-- $4 1
-- $5 ["banda"]
-- $6 1
-- $7 "child.name"
-- $8 ["birth"]
-- $9 ["-8537569910089861494","2119490769468111283","-8245606863858471324","8836900446455968567"]
-- $10 ["-8117881742242041422","-8946450928778010986"]
-- $11 "child.name"
-- $12 ["musonda","musunda"]
-- $13 ["banda"]
-- $14 100
-- $15 0
