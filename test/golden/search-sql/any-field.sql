with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where (s.terms && $1::bigint[] or (s.terms && $2::bigint[] and (select exists (select from (select d.body || '' as body offset 0) as plain, unnest($3::text[]) as line, jsonb_path_query(nullif(split_part(split_part(plain.body, line, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($4::text[]) or (case jsonb_typeof(fact) when 'number' then fact #>> '{}' else fact ->> 'n' end)::numeric = any($5::numeric[]) or string_to_array(fact ->> 'w', ' ') @> $6::text[] or string_to_array(fact ->> 'w', ' ') @> $7::text[])) from event_document d where d.seq = s.seq)))
), page as (
  select * from matched order by updated_at desc, id limit $8::bigint offset $9::bigint
)
select counted.total, (select not exists (select from term_doubt where hash = any($10::bigint[]))
    and not exists (select from unnest($11::bigint[], $12::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) as proven, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["-7781090580720508888","-5344234037105633546","-3595156213765521300"]
-- $2 ["-5361048548475242539","7107737353387088759","7983663917388106387"]
-- $3 ["\n\"child.name\":","\n\"mother.name\":","\n\"child.place\":"]
-- $4 ["x","3"]
-- $5 [3]
-- $6 ["x"]
-- $7 ["3"]
-- $8 100
-- $9 0
-- $10 ["-7781090580720508888","-5344234037105633546","-3595156213765521300"]
-- $11 ["-7781090580720508888","-5344234037105633546","-3595156213765521300"]
-- $12 ["nameWord 10 child.name x","nameWord 11 mother.name x","text 11 child.place x"]

-- in doubt
with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where ((s.terms && $1::bigint[] and ((select not exists (select from term_doubt where hash = any($2::bigint[]))
    and not exists (select from unnest($3::bigint[], $4::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_each(('{' || replace(substr(d.body, strpos(d.body, chr(10)) + 1), chr(10), ',') || '}')::jsonb) as field, jsonb_path_query(field.value, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($5::text[]) or (case jsonb_typeof(fact) when 'number' then fact #>> '{}' else fact ->> 'n' end)::numeric = any($6::numeric[]) or string_to_array(fact ->> 'w', ' ') @> $7::text[] or string_to_array(fact ->> 'w', ' ') @> $8::text[])) from event_document d where d.seq = s.seq))) or (s.terms && $9::bigint[] and (select exists (select from (select d.body || '' as body offset 0) as plain, unnest($10::text[]) as line, jsonb_path_query(nullif(split_part(split_part(plain.body, line, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($5::text[]) or (case jsonb_typeof(fact) when 'number' then fact #>> '{}' else fact ->> 'n' end)::numeric = any($6::numeric[]) or string_to_array(fact ->> 'w', ' ') @> $7::text[] or string_to_array(fact ->> 'w', ' ') @> $8::text[])) from event_document d where d.seq = s.seq)))
), page as (
  select * from matched order by updated_at desc, id limit $11::bigint offset $12::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["-7781090580720508888","-5344234037105633546","-3595156213765521300"]
-- $2 ["-7781090580720508888","-5344234037105633546","-3595156213765521300"]
-- $3 ["-7781090580720508888","-5344234037105633546","-3595156213765521300"]
-- $4 ["nameWord 10 child.name x","nameWord 11 mother.name x","text 11 child.place x"]
-- $5 ["x","3"]
-- $6 [3]
-- $7 ["x"]
-- $8 ["3"]
-- $9 ["-5361048548475242539","7107737353387088759","7983663917388106387"]
-- $10 ["\n\"child.name\":","\n\"mother.name\":","\n\"child.place\":"]
-- $11 100
-- $12 0
