with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where (s.terms && $1::bigint[] or (s.terms @> $2::bigint[] and (select exists (select from (select d.body || '' as body offset 0) as plain, unnest($3::text[]) as line, jsonb_path_query(nullif(split_part(split_part(plain.body, line, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($4::text[]) or (case jsonb_typeof(fact) when 'number' then fact #>> '{}' else fact ->> 'n' end)::numeric = any($5::numeric[]) or string_to_array(fact ->> 'w', ' ') @> $6::text[] or string_to_array(fact ->> 'w', ' ') @> $7::text[] or string_to_array(fact ->> 'w', ' ') @> $8::text[])) from event_document d where d.seq = s.seq)))
), page as (
  select * from matched order by updated_at desc, id limit $9::bigint offset $10::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["945028891080903888","-865657251564421206"]
-- $2 ["-4633768606783451195"]
-- $3 ["\n\"child.place\":"]
-- $4 ["musonda","musonda street 20","3"]
-- $5 [3]
-- $6 ["musonda"]
-- $7 ["musonda","street","20"]
-- $8 ["3"]
-- $9 100
-- $10 0
