with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where ((s.terms @> $1::bigint[] and s.type = $2::text) and (((s.terms @> $3::bigint[] and s.type = $4::text) and s.declared_created_at_location = any($5::uuid[])) or (s.place_of_event = any($6::uuid[]) and s.notified_created_at_location = any($7::uuid[]))))
), page as (
  select * from matched order by updated_at desc, id limit $8::bigint offset $9::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["6712016872837097692"]
-- $2 "birth"
-- $3 ["6712016872837097692"]
-- $4 "birth"
-- $5 ["00000000-0000-4000-8000-0000000000b3","00000000-0000-4000-8000-0000000000b4"]
-- $6 ["00000000-0000-4000-8000-0000000000b4"]
-- $7 []
-- $8 100
-- $9 0
