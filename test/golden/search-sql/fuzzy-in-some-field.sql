with matched as materialized (
  select seq, id, updated_at, min(edits) as edits from (
    select s.seq, s.id, s.updated_at, $1::int as edits from event_search s where (s.terms && $2::bigint[] or s.tracking_id = $3::text)
    union all select s.seq, s.id, s.updated_at, $4::int as edits from event_search s where s.terms && $5::bigint[]
  ) banded group by seq, id, updated_at
), page as (
  select * from matched order by edits, updated_at desc, id limit $6::bigint offset $7::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array((edits)::text, to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by edits, updated_at desc, id
-- $1 0
-- $2 ["945028891080903888","-6507032836096913880"]
-- $3 "MUSOND"
-- $4 1
-- $5 ["3358400732468033028","158689542602688400"]
-- $6 100
-- $7 0
