with matched as materialized (
  select s.seq, s.id, s.updated_at
  from event_search s
  where (true and (select exists (select from jsonb_array_elements(d.facts -> $1::text) as f(fact) where (fact ->> 'x') collate "C" between $2 and $3) from event_document d where d.seq = s.seq))
), page as (
  select * from matched order by updated_at desc, id limit $4::bigint offset $5::bigint
)
select counted.total, (select d.body from event_document d where d.seq = page.seq) as body, array[to_jsonb(updated_at) #>> '{}', (id)::text] as sort_values
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 "code"
-- $2 "A"
-- $3 "C"
-- $4 100
-- $5 0
