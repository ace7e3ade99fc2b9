with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where (((s.terms @> $1::bigint[] and s.type = $2::text) and s.tracking_id = $3::text) or (s.terms @> $4::bigint[] and s.assigned_to = $5::text))
), page as (
  select * from matched order by updated_at desc, id limit $6::bigint offset $7::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["6712016872837097692"]
-- $2 "birth"
-- $3 "K3PZ9A"
-- $4 ["5733016971797715189"]
-- $5 "u-1"
-- $6 100
-- $7 0
