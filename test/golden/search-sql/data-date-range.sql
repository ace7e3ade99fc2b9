with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where (s.terms @> $1::bigint[] and s.terms && $2::bigint[])
), page as (
  select * from matched order by updated_at desc, id limit $3::bigint offset $4::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["1347519619355204864"]
-- $2 []
-- $3 100
-- $4 0
