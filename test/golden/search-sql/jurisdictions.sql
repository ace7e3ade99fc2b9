with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where ((s.terms @> $1::bigint[] and s.type = $2::text) and (((s.terms @> $1::bigint[] and s.type = $3::text) and s.declared_created_at_location = any($4::uuid[])) or (s.place_of_event = any($5::uuid[]) and s.notified_created_at_location = any($6::uuid[]))))
), page as (
  select * from matched order by updated_at desc, id limit $7::bigint offset $8::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["-4971561649084980958"]
-- $2 "birth"
-- $3 "birth"
-- $4 ["00000000-0000-4000-8000-0000000000b3","00000000-0000-4000-8000-0000000000b4"]
-- $5 ["00000000-0000-4000-8000-0000000000b4"]
-- $6 []
-- $7 100
-- $8 0
