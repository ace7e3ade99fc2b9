with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where ((s.terms @> $1::bigint[] and s.created_by = $2::text) and (s.terms && $3::bigint[] and s.registered_created_by_role = any($4::text[])))
), page as (
  select * from matched order by updated_at desc, id limit $5::bigint offset $6::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["-8178456694096637715"]
-- $2 "u-1"
-- $3 ["457337021588609198","-6679480848328759566"]
-- $4 ["REGISTRAR","CLERK"]
-- $5 100
-- $6 0
