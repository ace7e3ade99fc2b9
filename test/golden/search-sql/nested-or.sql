with matched as materialized (
  select s.seq, s.id, s.updated_at
  from event_search s
  where ((s.type = any($1::text[]) and s.tracking_id = any($2::text[])) or (s.terms @> $3::bigint[] and s.assigned_to = any($4::text[])))
), page as (
  select * from matched order by updated_at desc, id limit $5::bigint offset $6::bigint
)
select counted.total, event_document.body
from (select count(*) as total from matched) counted
left join (page join event_document using (seq)) on true
order by updated_at desc, id
-- $1 ["birth"]
-- $2 ["K3PZ9A"]
-- $3 ["-1502283577827399479"]
-- $4 ["u-1"]
-- $5 100
-- $6 0
