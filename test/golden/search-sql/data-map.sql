with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where ((s.terms && $1::bigint[] and ((s.terms && $2::bigint[] and s.terms && $3::bigint[]) or (s.terms && $4::bigint[] and s.terms && $5::bigint[]))) and (select exists (select from jsonb_path_query(nullif(split_part(split_part(d.body, $6::text, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where (exists (select from jsonb_path_query(fact -> 'm' -> $7::text, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($8::text[]) or string_to_array(fact ->> 'w', ' ') @> $9::text[])) and exists (select from jsonb_path_query(fact -> 'm' -> $10::text, '$[*]') as f(fact) where exists (select from jsonb_path_query(fact -> 'm' -> $11::text, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($12::text[]) or string_to_array(fact ->> 'w', ' ') @> $13::text[]))))) from event_document d where d.seq = s.seq))
), page as (
  select * from matched order by updated_at desc, id limit $14::bigint offset $15::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 []
-- $2 []
-- $3 []
-- $4 []
-- $5 []
-- $6 "\n\"child.address\":"
-- $7 "country"
-- $8 ["far"]
-- $9 ["far"]
-- $10 "streetLevelDetails"
-- $11 "street"
-- $12 ["main street"]
-- $13 ["main","street"]
-- $14 100
-- $15 0
