with matched as materialized (
  select s.seq, s.id, s.updated_at
  from event_search s
  where true
), page as (
  select * from matched order by updated_at desc, id limit $1::bigint offset $2::bigint
)
select counted.total, event_document.body
from (select count(*) as total from matched) counted
left join (page join event_document using (seq)) on true
order by updated_at desc, id
-- $1 100
-- $2 0
