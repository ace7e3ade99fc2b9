with matched as materialized (
  select s.seq, s.id, s.updated_at
  from event_search s
  where ((s.terms && $1::bigint[] or s.terms @> $2::bigint[]) and (select exists (select from jsonb_array_elements(d.facts -> $3::text) as f(fact) where (fact ->> 't' = any($4::text[]) or fact -> 'w' @> any($5::jsonb[]))) from event_document d where d.seq = s.seq))
), page as (
  select * from matched order by updated_at desc, id limit $6::bigint offset $7::bigint
)
select counted.total, (select d.body from event_document d where d.seq = page.seq) as body, array[to_jsonb(updated_at) #>> '{}', (id)::text] as sort_values
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["-9159395529181393339","-4398345682667905105","3895515133204540784"]
-- $2 ["3895515133204540784","51083913137835232"]
-- $3 "child.name"
-- $4 ["ama kofi","ama"]
-- $5 ["[\"ama\",\"kofi\"]","[\"ama\"]"]
-- $6 100
-- $7 0
