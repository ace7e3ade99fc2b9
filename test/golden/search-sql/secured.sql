with matched as materialized (
  select s.seq, s.id, case when (s.type = any($1::text[]) and (((s.type = $2::text and not s.flags && $3::text[]) or s.registered_created_by = $4::text)) is not true) then null else s.date_of_event end as date_of_event, (select jsonb_build_array(case when (s.type = any($5::text[]) and (((s.type = $6::text and not s.flags && $3::text[]) or s.registered_created_by = $7::text)) is not true) then null else (select (case jsonb_typeof(fact)
    when 'object' then case when fact -> 'm' is null then coalesce(fact -> 'x', fact -> 'u', fact -> 'd') end
    when 'boolean' then to_jsonb(fact #>> '{}')
    when 'array' then null
    else fact end) from (select nullif(split_part(split_part(d.body, $8::text, 2), chr(10), 1), '')::jsonb as fact offset 0) as f) end) from event_document d where d.seq = s.seq) as sort_facts from event_search s where ((s.terms && $9::bigint[] and (((s.type = $10::text and not s.flags && $3::text[]) or s.registered_created_by = $11::text)) is true) or (s.status = $12::text and s.terms && $13::bigint[] and (((s.type = $14::text and not s.flags && $3::text[]) or s.registered_created_by = $15::text)) is true))
), page as (
  select * from matched order by date_of_event desc nulls last, (case jsonb_typeof(sort_facts -> $16::int) when 'number' then (sort_facts -> $17::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $18::int) when 'string' then (sort_facts -> $19::int #>> '{}') end) collate "C", id limit $20::bigint offset $21::bigint
)
select counted.total, (select not exists (select from term_doubt where hash = any($22::bigint[]))
    and not exists (select from unnest($23::bigint[], $24::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) as proven, (select (select case when not unread and not listed then split_part(d.body, chr(10), 1) else (
      select '{' || string_agg(to_json(key)::text || ':' || case
        when key = 'declaration' and unread then (
          select '{' || coalesce(string_agg(to_json(field)::text || ':' || content::text, ',' order by place), '') || '}'
          from json_each(value) with ordinality as declared (field, content, place)
          where field <> all(case s.type when $25::text then $26::text[] when $27::text then $28::text[] end))
        when key = $29::text and unread and s.type = any($30::text[]) then 'null'
        else value::text end, ',' order by at) || '}'
      from json_each(split_part(d.body, chr(10), 1)::json) with ordinality as member (key, value, at)) end
    from (select (s.type = any($31::text[]) and (((s.type = $32::text and not s.flags && $3::text[]) or s.registered_created_by = $33::text)) is not true) as unread, false as listed offset 0) as withheld) from event_search s join event_document d using (seq) where d.seq = page.seq) as body, json_build_array(to_jsonb(date_of_event) #>> '{}', ((case jsonb_typeof(sort_facts -> $34::int) when 'number' then (sort_facts -> $35::int #>> '{}')::numeric end))::text, ((case jsonb_typeof(sort_facts -> $36::int) when 'string' then (sort_facts -> $37::int #>> '{}') end))::text, (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by date_of_event desc nulls last, (case jsonb_typeof(sort_facts -> $38::int) when 'number' then (sort_facts -> $39::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $40::int) when 'string' then (sort_facts -> $41::int #>> '{}') end) collate "C", id
-- $1 ["birth"]
-- $2 "death"
-- $3 ["sealed"]
-- $4 "caller"
-- $5 ["birth"]
-- $6 "death"
-- $7 "caller"
-- $8 "\n\"child.name\":"
-- $9 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $10 "death"
-- $11 "caller"
-- $12 "REGISTERED"
-- $13 []
-- $14 "death"
-- $15 "caller"
-- $16 0
-- $17 0
-- $18 0
-- $19 0
-- $20 100
-- $21 0
-- $22 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $23 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $24 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 11 mother.name muzonda","word 11 child.place musonda"]
-- $25 "birth"
-- $26 ["child.name","mother.nid"]
-- $27 "death"
-- $28 ["deceased.nid"]
-- $29 "dateOfEvent"
-- $30 ["birth"]
-- $31 ["birth","death"]
-- $32 "death"
-- $33 "caller"
-- $34 0
-- $35 0
-- $36 0
-- $37 0
-- $38 0
-- $39 0
-- $40 0
-- $41 0

-- in doubt
with matched as materialized (
  select s.seq, s.id, case when (s.type = any($1::text[]) and (((s.type = $2::text and not s.flags && $3::text[]) or s.registered_created_by = $4::text)) is not true) then null else s.date_of_event end as date_of_event, (select jsonb_build_array(case when (s.type = any($5::text[]) and (((s.type = $6::text and not s.flags && $3::text[]) or s.registered_created_by = $7::text)) is not true) then null else (select (case jsonb_typeof(fact)
    when 'object' then case when fact -> 'm' is null then coalesce(fact -> 'x', fact -> 'u', fact -> 'd') end
    when 'boolean' then to_jsonb(fact #>> '{}')
    when 'array' then null
    else fact end) from (select nullif(split_part(split_part(d.body, $8::text, 2), chr(10), 1), '')::jsonb as fact offset 0) as f) end) from event_document d where d.seq = s.seq) as sort_facts from event_search s where (((s.terms && $9::bigint[] and ((select not exists (select from term_doubt where hash = any($10::bigint[]))
    and not exists (select from unnest($11::bigint[], $12::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from (select d.body || '' as body offset 0) as plain, unnest($13::text[]) as line, jsonb_path_query(nullif(split_part(split_part(plain.body, line, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) && $14::text[]) from event_document d where d.seq = s.seq))) and (((s.type = $15::text and not s.flags && $3::text[]) or s.registered_created_by = $16::text)) is true) or (s.status = $17::text and (s.terms && $18::bigint[] and ((select not exists (select from term_doubt where hash = any($19::bigint[]))
    and not exists (select from unnest($20::bigint[], $21::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(nullif(split_part(split_part(d.body, $22::text, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($23::text[]) or (case jsonb_typeof(fact) when 'number' then fact #>> '{}' else fact ->> 'n' end)::numeric = any($24::numeric[]) or string_to_array(fact ->> 'w', ' ') @> $25::text[])) from event_document d where d.seq = s.seq))) and (((s.type = $26::text and not s.flags && $3::text[]) or s.registered_created_by = $27::text)) is true))
), page as (
  select * from matched order by date_of_event desc nulls last, (case jsonb_typeof(sort_facts -> $28::int) when 'number' then (sort_facts -> $29::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $30::int) when 'string' then (sort_facts -> $31::int #>> '{}') end) collate "C", id limit $32::bigint offset $33::bigint
)
select counted.total, (select (select case when not unread and not listed then split_part(d.body, chr(10), 1) else (
      select '{' || string_agg(to_json(key)::text || ':' || case
        when key = 'declaration' and unread then (
          select '{' || coalesce(string_agg(to_json(field)::text || ':' || content::text, ',' order by place), '') || '}'
          from json_each(value) with ordinality as declared (field, content, place)
          where field <> all(case s.type when $34::text then $35::text[] when $36::text then $37::text[] end))
        when key = $38::text and unread and s.type = any($39::text[]) then 'null'
        else value::text end, ',' order by at) || '}'
      from json_each(split_part(d.body, chr(10), 1)::json) with ordinality as member (key, value, at)) end
    from (select (s.type = any($40::text[]) and (((s.type = $41::text and not s.flags && $3::text[]) or s.registered_created_by = $42::text)) is not true) as unread, false as listed offset 0) as withheld) from event_search s join event_document d using (seq) where d.seq = page.seq) as body, json_build_array(to_jsonb(date_of_event) #>> '{}', ((case jsonb_typeof(sort_facts -> $43::int) when 'number' then (sort_facts -> $44::int #>> '{}')::numeric end))::text, ((case jsonb_typeof(sort_facts -> $45::int) when 'string' then (sort_facts -> $46::int #>> '{}') end))::text, (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by date_of_event desc nulls last, (case jsonb_typeof(sort_facts -> $47::int) when 'number' then (sort_facts -> $48::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $49::int) when 'string' then (sort_facts -> $50::int #>> '{}') end) collate "C", id
-- $1 ["birth"]
-- $2 "death"
-- $3 ["sealed"]
-- $4 "caller"
-- $5 ["birth"]
-- $6 "death"
-- $7 "caller"
-- $8 "\n\"child.name\":"
-- $9 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $10 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $11 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $12 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 11 mother.name muzonda","word 11 child.place musonda"]
-- $13 ["\n\"child.name\":","\n\"mother.name\":","\n\"child.place\":"]
-- $14 ["musonda","musunda","muzonda"]
-- $15 "death"
-- $16 "caller"
-- $17 "REGISTERED"
-- $18 []
-- $19 []
-- $20 []
-- $21 []
-- $22 "\n\"mother.nid\":"
-- $23 ["123"]
-- $24 [123]
-- $25 ["123"]
-- $26 "death"
-- $27 "caller"
-- $28 0
-- $29 0
-- $30 0
-- $31 0
-- $32 100
-- $33 0
-- $34 "birth"
-- $35 ["child.name","mother.nid"]
-- $36 "death"
-- $37 ["deceased.nid"]
-- $38 "dateOfEvent"
-- $39 ["birth"]
-- $40 ["birth","death"]
-- $41 "death"
-- $42 "caller"
-- $43 0
-- $44 0
-- $45 0
-- $46 0
-- $47 0
-- $48 0
-- $49 0
-- $50 0
