with matched as materialized (
  select seq, id, updated_at, min(edits) as edits from (
    select s.seq, s.id, s.updated_at, $1::int as edits from event_search s where ((s.terms @> $2::bigint[] and s.type = $3::text) and (s.terms @> $4::bigint[] and s.terms @> $5::bigint[]))
    union all select s.seq, s.id, s.updated_at, $6::int as edits from event_search s where ((s.terms @> $2::bigint[] and s.type = $7::text) and (s.terms @> $8::bigint[] and s.terms @> $9::bigint[]))
  ) banded group by seq, id, updated_at
), page as (
  select * from matched order by edits, updated_at desc, id limit $10::bigint offset $11::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array((edits)::text, to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by edits, updated_at desc, id
-- $1 1
-- $2 ["6712016872837097692"]
-- $3 "birth"
-- $4 ["945028891080903888"]
-- $5 ["-8364280033099465902"]
-- $6 2
-- $7 "birth"
-- $8 ["3358400732468033028"]
-- $9 ["-8364280033099465902"]
-- $10 100
-- $11 0
