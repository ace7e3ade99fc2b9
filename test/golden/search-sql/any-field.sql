with matched as materialized (
  select s.seq, s.id, s.updated_at
  from event_search s
  where (true and (select exists (select from jsonb_each(d.facts) as field, jsonb_array_elements(field.value) as f(fact) where (fact ->> 't' = any($1::text[]) or (fact ->> 'n')::numeric = any($2::numeric[]) or fact -> 'w' @> any($3::jsonb[]))) from event_document d where d.seq = s.seq))
), page as (
  select * from matched order by updated_at desc, id limit $4::bigint offset $5::bigint
)
select counted.total, (select d.body from event_document d where d.seq = page.seq) as body, array[to_jsonb(updated_at) #>> '{}', (id)::text] as sort_values
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["x","3"]
-- $2 [3]
-- $3 ["[\"x\"]","[\"3\"]"]
-- $4 100
-- $5 0
