with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where ((s.terms @> $1::bigint[] or ((s.terms @> $2::bigint[] and s.type = $3::text) and s.terms @> $4::bigint[])) and s.terms @> $5::bigint[])
), page as (
  select * from matched order by updated_at desc, id limit $6::bigint offset $7::bigint
)
select counted.total, (select not exists (select from term_doubt where hash = any($8::bigint[]))
    and not exists (select from unnest($9::bigint[], $10::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) as proven, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["3598565626064234646"]
-- $2 ["-4971561649084980958"]
-- $3 "birth"
-- $4 ["-4345106794892869370"]
-- $5 ["-8962312249416875146"]
-- $6 100
-- $7 0
-- $8 ["-4345106794892869370","3598565626064234646","-8962312249416875146"]
-- $9 ["-4345106794892869370","3598565626064234646","-8962312249416875146"]
-- $10 ["nameWord 10 child.name musonda","nameWord 11 mother.name muzonda","updatedAtLocation within=000000b1-0000-4000-8000-0000000000b1"]

-- in doubt
with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where ((((s.terms @> $1::bigint[] and s.type = $2::text) and (s.terms @> $3::bigint[] and ((select not exists (select from term_doubt where hash = any($4::bigint[]))
    and not exists (select from unnest($5::bigint[], $6::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(nullif(split_part(split_part(d.body, $7::text, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($8::text[]) or string_to_array(fact ->> 'w', ' ') @> $9::text[])) from event_document d where d.seq = s.seq)))) or (s.terms @> $10::bigint[] and ((select not exists (select from term_doubt where hash = any($11::bigint[]))
    and not exists (select from unnest($12::bigint[], $13::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(nullif(split_part(split_part(d.body, $14::text, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($15::text[]) or string_to_array(fact ->> 'w', ' ') @> $16::text[])) from event_document d where d.seq = s.seq)))) and s.updated_at_location = any($17::uuid[]))
), page as (
  select * from matched order by updated_at desc, id limit $18::bigint offset $19::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["-4971561649084980958"]
-- $2 "birth"
-- $3 ["-4345106794892869370"]
-- $4 ["-4345106794892869370"]
-- $5 ["-4345106794892869370"]
-- $6 ["nameWord 10 child.name musonda"]
-- $7 "\n\"child.name\":"
-- $8 ["musonda"]
-- $9 ["musonda"]
-- $10 ["3598565626064234646"]
-- $11 ["3598565626064234646"]
-- $12 ["3598565626064234646"]
-- $13 ["nameWord 11 mother.name muzonda"]
-- $14 "\n\"mother.name\":"
-- $15 ["muzonda"]
-- $16 ["muzonda"]
-- $17 ["000000b1-0000-4000-8000-0000000000b1","000000b3-0000-4000-8000-0000000000b3","000000b4-0000-4000-8000-0000000000b4","000000b5-0000-4000-8000-0000000000b5"]
-- $18 100
-- $19 0
