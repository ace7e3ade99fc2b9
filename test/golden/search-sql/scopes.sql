with matched as materialized (
  select s.seq, s.id, s.updated_at
  from event_search s
  where (s.type = any($1::text[]) and ((s.type = any($2::text[]) and not s.flags && $3::text[]) or (s.status = any($4::text[]) and s.registered_created_by = $5::text) or false))
), page as (
  select * from matched order by updated_at desc, id limit $6::bigint offset $7::bigint
)
select counted.total, event_document.body
from (select count(*) as total from matched) counted
left join (page join event_document using (seq)) on true
order by updated_at desc, id
-- $1 ["birth"]
-- $2 ["birth"]
-- $3 ["sealed"]
-- $4 ["REGISTERED"]
-- $5 "caller"
-- $6 100
-- $7 0
