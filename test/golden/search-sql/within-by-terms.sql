with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where s.registered_created_at_location = any($1::uuid[])
), page as (
  select * from matched order by updated_at desc, id limit $2::bigint offset $3::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["000000b1-0000-4000-8000-0000000000b1","000000b3-0000-4000-8000-0000000000b3","000000b4-0000-4000-8000-0000000000b4","000000b5-0000-4000-8000-0000000000b5"]
-- $2 100
-- $3 0
