with matched as materialized (
  select seq, id, updated_at, min(edits) as edits from (
    select s.seq, s.id, s.updated_at, $1::int as edits from event_search s where ((s.terms && $2::bigint[] and (((s.type = $3::text and not s.flags && $4::text[]) or s.registered_created_by = $5::text)) is true) or (s.status = $6::text and s.terms && $7::bigint[] and (((s.type = $8::text and not s.flags && $4::text[]) or s.registered_created_by = $9::text)) is true))
    union all select s.seq, s.id, s.updated_at, $10::int as edits from event_search s where (s.terms && $11::bigint[] and (((s.type = $12::text and not s.flags && $4::text[]) or s.registered_created_by = $13::text)) is true)
  ) banded group by seq, id, updated_at
), page as (
  select * from matched order by edits, updated_at desc, id limit $14::bigint offset $15::bigint
)
select counted.total, (select not exists (select from term_doubt where hash = any($16::bigint[]))
    and not exists (select from unnest($17::bigint[], $18::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) as proven, (select (select case when not unread and not listed then split_part(d.body, chr(10), 1) else (
      select '{' || string_agg(to_json(key)::text || ':' || case
        when key = 'declaration' and unread then (
          select '{' || coalesce(string_agg(to_json(field)::text || ':' || content::text, ',' order by place), '') || '}'
          from json_each(value) with ordinality as declared (field, content, place)
          where field <> all(case s.type when $19::text then $20::text[] when $21::text then $22::text[] end))
        when key = $23::text and unread and s.type = any($24::text[]) then 'null'
        else value::text end, ',' order by at) || '}'
      from json_each(split_part(d.body, chr(10), 1)::json) with ordinality as member (key, value, at)) end
    from (select (s.type = any($25::text[]) and (((s.type = $26::text and not s.flags && $4::text[]) or s.registered_created_by = $27::text)) is not true) as unread, false as listed offset 0) as withheld) from event_search s join event_document d using (seq) where d.seq = page.seq) as body, json_build_array((edits)::text, to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by edits, updated_at desc, id
-- $1 0
-- $2 ["-4345106794892869370","-8782320603510308474"]
-- $3 "death"
-- $4 ["sealed"]
-- $5 "caller"
-- $6 "REGISTERED"
-- $7 []
-- $8 "death"
-- $9 "caller"
-- $10 1
-- $11 ["2593978819883971422","3598565626064234646"]
-- $12 "death"
-- $13 "caller"
-- $14 100
-- $15 0
-- $16 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $17 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $18 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 11 mother.name muzonda","word 11 child.place musonda"]
-- $19 "birth"
-- $20 ["child.name","mother.nid"]
-- $21 "death"
-- $22 ["deceased.nid"]
-- $23 "dateOfEvent"
-- $24 ["birth"]
-- $25 ["birth","death"]
-- $26 "death"
-- $27 "caller"

-- in doubt
with matched as materialized (
  select s.seq, s.id, s.updated_at, least((case when ((s.type = $1::text and not s.flags && $2::text[]) or s.registered_created_by = $3::text) then case when (select not exists (select from term_doubt where hash = any($4::bigint[]))
    and not exists (select from unnest($5::bigint[], $6::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) then case when s.terms && $7::bigint[] then $8::int when s.terms && $9::bigint[] then $10::int end else (select (select min(case when (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) && $11::text[] then $12::int when (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) && $13::text[] then $14::int end) from (select d.body || '' as body offset 0) as plain, unnest($15::text[]) as line, jsonb_path_query(nullif(split_part(split_part(plain.body, line, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact)) from event_document d where d.seq = s.seq) end end), case when (s.status = $16::text and ((s.type = $17::text and not s.flags && $2::text[]) or s.registered_created_by = $18::text) and (s.terms && $19::bigint[] and ((select not exists (select from term_doubt where hash = any($20::bigint[]))
    and not exists (select from unnest($21::bigint[], $22::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(nullif(split_part(split_part(d.body, $23::text, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($24::text[]) or (case jsonb_typeof(fact) when 'number' then fact #>> '{}' else fact ->> 'n' end)::numeric = any($25::numeric[]) or string_to_array(fact ->> 'w', ' ') @> $26::text[])) from event_document d where d.seq = s.seq)))) then 0 end) as edits from event_search s where (((s.terms && $27::bigint[] and ((select not exists (select from term_doubt where hash = any($28::bigint[]))
    and not exists (select from unnest($29::bigint[], $30::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from (select d.body || '' as body offset 0) as plain, unnest($31::text[]) as line, jsonb_path_query(nullif(split_part(split_part(plain.body, line, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) && $32::text[]) from event_document d where d.seq = s.seq))) and (((s.type = $33::text and not s.flags && $2::text[]) or s.registered_created_by = $34::text)) is true) or (s.status = $35::text and (s.terms && $36::bigint[] and ((select not exists (select from term_doubt where hash = any($37::bigint[]))
    and not exists (select from unnest($38::bigint[], $39::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(nullif(split_part(split_part(d.body, $40::text, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($24::text[]) or (case jsonb_typeof(fact) when 'number' then fact #>> '{}' else fact ->> 'n' end)::numeric = any($25::numeric[]) or string_to_array(fact ->> 'w', ' ') @> $26::text[])) from event_document d where d.seq = s.seq))) and (((s.type = $41::text and not s.flags && $2::text[]) or s.registered_created_by = $42::text)) is true))
), page as (
  select * from matched order by edits, updated_at desc, id limit $43::bigint offset $44::bigint
)
select counted.total, (select (select case when not unread and not listed then split_part(d.body, chr(10), 1) else (
      select '{' || string_agg(to_json(key)::text || ':' || case
        when key = 'declaration' and unread then (
          select '{' || coalesce(string_agg(to_json(field)::text || ':' || content::text, ',' order by place), '') || '}'
          from json_each(value) with ordinality as declared (field, content, place)
          where field <> all(case s.type when $45::text then $46::text[] when $47::text then $48::text[] end))
        when key = $49::text and unread and s.type = any($50::text[]) then 'null'
        else value::text end, ',' order by at) || '}'
      from json_each(split_part(d.body, chr(10), 1)::json) with ordinality as member (key, value, at)) end
    from (select (s.type = any($51::text[]) and (((s.type = $52::text and not s.flags && $2::text[]) or s.registered_created_by = $53::text)) is not true) as unread, false as listed offset 0) as withheld) from event_search s join event_document d using (seq) where d.seq = page.seq) as body, json_build_array((edits)::text, to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by edits, updated_at desc, id
-- $1 "death"
-- $2 ["sealed"]
-- $3 "caller"
-- $4 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $5 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $6 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 11 mother.name muzonda","word 11 child.place musonda"]
-- $7 ["-4345106794892869370","-8782320603510308474"]
-- $8 0
-- $9 ["2593978819883971422","3598565626064234646"]
-- $10 1
-- $11 ["musonda"]
-- $12 0
-- $13 ["musunda","muzonda"]
-- $14 1
-- $15 ["\n\"child.name\":","\n\"mother.name\":","\n\"child.place\":"]
-- $16 "REGISTERED"
-- $17 "death"
-- $18 "caller"
-- $19 []
-- $20 []
-- $21 []
-- $22 []
-- $23 "\n\"mother.nid\":"
-- $24 ["123"]
-- $25 [123]
-- $26 ["123"]
-- $27 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $28 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $29 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $30 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 11 mother.name muzonda","word 11 child.place musonda"]
-- $31 ["\n\"child.name\":","\n\"mother.name\":","\n\"child.place\":"]
-- $32 ["musonda","musunda","muzonda"]
-- $33 "death"
-- $34 "caller"
-- $35 "REGISTERED"
-- $36 []
-- $37 []
-- $38 []
-- $39 []
-- $40 "\n\"mother.nid\":"
-- $41 "death"
-- $42 "caller"
-- $43 100
-- $44 0
-- $45 "birth"
-- $46 ["child.name","mother.nid"]
-- $47 "death"
-- $48 ["deceased.nid"]
-- $49 "dateOfEvent"
-- $50 ["birth"]
-- $51 ["birth","death"]
-- $52 "death"
-- $53 "caller"
