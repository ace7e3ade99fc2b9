with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where (s.terms @> $1::bigint[] or (s.terms @> $2::bigint[] and s.terms @> $3::bigint[]))
), page as (
  select * from matched order by updated_at desc, id limit $4::bigint offset $5::bigint
)
select counted.total, (select not exists (select from term_doubt where hash = any($6::bigint[]))
    and not exists (select from unnest($7::bigint[], $8::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) as proven, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["-5182788279595434834"]
-- $2 ["-5182788279595434834"]
-- $3 ["6377613403411302450"]
-- $4 100
-- $5 0
-- $6 ["-5182788279595434834","6377613403411302450","-5182788279595434834","4306258892657532421"]
-- $7 ["-5182788279595434834","6377613403411302450","-5182788279595434834"]
-- $8 ["nameWord 10 child.name ama","nameWord 10 child.name kofi","nameWord 10 child.name ama"]

-- in doubt
with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where ((s.terms @> $1::bigint[] or (s.terms @> $2::bigint[] and s.terms @> $3::bigint[])) and ((select not exists (select from term_doubt where hash = any($4::bigint[]))
    and not exists (select from unnest($5::bigint[], $6::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(nullif(split_part(split_part(d.body, $7::text, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($8::text[]) or string_to_array(fact ->> 'w', ' ') @> $9::text[] or string_to_array(fact ->> 'w', ' ') @> $10::text[])) from event_document d where d.seq = s.seq)))
), page as (
  select * from matched order by updated_at desc, id limit $11::bigint offset $12::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["-5182788279595434834"]
-- $2 ["-5182788279595434834"]
-- $3 ["6377613403411302450"]
-- $4 ["-5182788279595434834","6377613403411302450","-5182788279595434834","4306258892657532421"]
-- $5 ["-5182788279595434834","6377613403411302450","-5182788279595434834"]
-- $6 ["nameWord 10 child.name ama","nameWord 10 child.name kofi","nameWord 10 child.name ama"]
-- $7 "\n\"child.name\":"
-- $8 ["ama kofi","ama"]
-- $9 ["ama","kofi"]
-- $10 ["ama"]
-- $11 100
-- $12 0
