with matched as materialized (
  select s.seq, s.id, s.updated_at
  from event_search s
  where (((s.terms @> $1::bigint[] and s.type = $2::text) and s.tracking_id = any($3::text[])) or (s.terms @> $4::bigint[] and s.assigned_to = $5::text))
), page as (
  select * from matched order by updated_at desc, id limit $6::bigint offset $7::bigint
)
select counted.total, (select d.body from event_document d where d.seq = page.seq) as body, array[to_jsonb(updated_at) #>> '{}', (id)::text] as sort_values
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["-4642649686789677008"]
-- $2 "birth"
-- $3 ["K3PZ9A"]
-- $4 ["-1502283577827399479"]
-- $5 "u-1"
-- $6 100
-- $7 0
