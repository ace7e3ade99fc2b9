with matched as materialized (
  select s.seq, s.id, s.updated_at
  from event_search s
  where (s.terms @> $1::bigint[] and (select exists (select from jsonb_array_elements(d.facts -> $2::text) as f(fact) where fact ->> 'a' = any($3::text[])) from event_document d where d.seq = s.seq))
), page as (
  select * from matched order by updated_at desc, id limit $4::bigint offset $5::bigint
)
select counted.total, (select d.body from event_document d where d.seq = page.seq) as body, array[to_jsonb(updated_at) #>> '{}', (id)::text] as sort_values
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["-8257423641602862720"]
-- $2 "child.birthLocationId"
-- $3 ["000000b4-0000-4000-8000-0000000000b4"]
-- $4 100
-- $5 0
