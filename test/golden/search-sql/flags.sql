with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where ((s.terms && $1::bigint[] and s.flags && $2::text[]) and (s.terms @> $3::bigint[] and s.flags @> $4::text[]) and (not s.flags && $5::text[]) is true)
), page as (
  select * from matched order by updated_at desc, id limit $6::bigint offset $7::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["376260192005268018","7368366274800096844"]
-- $2 ["a","b"]
-- $3 ["-8563175567671646778","-5053625212443349868"]
-- $4 ["d","e"]
-- $5 ["c"]
-- $6 100
-- $7 0
