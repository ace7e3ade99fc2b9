with matched as materialized (
  select s.seq, s.id, s.updated_at, (((select ((select min(case when coalesce(fact -> 'w', fact -> 'q') ?| $1::text[] then $2::int when coalesce(fact -> 'w', fact -> 'q') ?| $3::text[] then $4::int end + case when coalesce(fact -> 'w', fact -> 'q') ?| $5::text[] then $6::int end) from jsonb_array_elements(d.facts -> $7::text) as f(fact))) from event_document d where d.seq = s.seq))) as edits
  from event_search s
  where ((s.terms @> $8::bigint[] and s.type = $9::text) and ((s.terms && $10::bigint[] and s.terms && $11::bigint[]) and (select exists (select from jsonb_array_elements(d.facts -> $12::text) as f(fact) where (coalesce(fact -> 'w', fact -> 'q') ?| $13::text[] and coalesce(fact -> 'w', fact -> 'q') ?| $14::text[])) from event_document d where d.seq = s.seq)))
), page as (
  select * from matched order by edits, updated_at desc, id limit $15::bigint offset $16::bigint
)
select counted.total, (select d.body from event_document d where d.seq = page.seq) as body, array[(edits)::text, to_jsonb(updated_at) #>> '{}', (id)::text] as sort_values
from (select count(*) as total from matched) counted
left join page on true
order by edits, updated_at desc, id
-- $1 ["musonda"]
-- $2 0
-- $3 ["musunda"]
-- $4 1
-- $5 ["banda"]
-- $6 1
-- $7 "child.name"
-- $8 ["-4642649686789677008"]
-- $9 "birth"
-- $10 ["-8537569910089861494","2119490769468111283","-8245606863858471324","8836900446455968567"]
-- $11 ["-8117881742242041422","-8946450928778010986"]
-- $12 "child.name"
-- $13 ["musonda","musunda"]
-- $14 ["banda"]
-- $15 100
-- $16 0
