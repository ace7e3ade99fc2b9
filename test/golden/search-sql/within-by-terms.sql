with matched as materialized (
  select s.seq, s.id, s.updated_at
  from event_search s
  where (s.terms && $1::bigint[] and s.registered_created_at_location = any($2::uuid[]))
), page as (
  select * from matched order by updated_at desc, id limit $3::bigint offset $4::bigint
)
select counted.total, event_document.body
from (select count(*) as total from matched) counted
left join (page join event_document using (seq)) on true
order by updated_at desc, id
-- $1 ["-9019400775589706056","-2528490728137343940","-7014080448472653370","7235998455394919967"]
-- $2 ["000000b1-0000-4000-8000-0000000000b1","000000b3-0000-4000-8000-0000000000b3","000000b4-0000-4000-8000-0000000000b4","000000b5-0000-4000-8000-0000000000b5"]
-- $3 100
-- $4 0
