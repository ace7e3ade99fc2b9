with matched as materialized (
  select s.seq, s.id, s.updated_at
  from event_search s
  where (s.terms && $1::bigint[] and (select exists (select from jsonb_array_elements(d.facts -> $2::text) as f(fact) where (fact ->> 't' = any($3::text[]) or (fact ->> 'n')::numeric = any($4::numeric[]) or fact -> 'w' @> any($5::jsonb[]))) from event_document d where d.seq = s.seq))
), page as (
  select * from matched order by updated_at desc, id limit $6::bigint offset $7::bigint
)
select counted.total, (select d.body from event_document d where d.seq = page.seq) as body, array[to_jsonb(updated_at) #>> '{}', (id)::text] as sort_values
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["95661506703796458","8433447717194322467","416991173458534010"]
-- $2 "mother.nid"
-- $3 ["12345"]
-- $4 [12345]
-- $5 ["[\"12345\"]"]
-- $6 100
-- $7 0
