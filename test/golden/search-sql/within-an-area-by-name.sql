with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where ((s.terms @> $1::bigint[] or ((s.terms @> $2::bigint[] and s.type = $3::text) and s.terms @> $4::bigint[])) and s.updated_at_location = any($5::uuid[]))
), page as (
  select * from matched order by updated_at desc, id limit $6::bigint offset $7::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["158689542602688400"]
-- $2 ["6712016872837097692"]
-- $3 "birth"
-- $4 ["945028891080903888"]
-- $5 ["000000b1-0000-4000-8000-0000000000b1","000000b3-0000-4000-8000-0000000000b3","000000b4-0000-4000-8000-0000000000b4","000000b5-0000-4000-8000-0000000000b5"]
-- $6 100
-- $7 0
