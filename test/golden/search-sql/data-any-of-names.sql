with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where (s.terms @> $1::bigint[] or (s.terms @> $2::bigint[] and s.terms @> $3::bigint[]))
), page as (
  select * from matched order by updated_at desc, id limit $4::bigint offset $5::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["-3285060760036053510"]
-- $2 ["-3285060760036053510"]
-- $3 ["-1013894813798130640"]
-- $4 100
-- $5 0
