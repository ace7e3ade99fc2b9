with matched as materialized (
  select s.seq, s.id, case when (s.type = any($1::text[]) and (((s.type = $2::text and not s.flags && $3::text[]) or s.registered_created_by = $4::text)) is not true) then null else s.date_of_event end as date_of_event, (select jsonb_build_array(case when (s.type = any($5::text[]) and (((s.type = $6::text and not s.flags && $3::text[]) or s.registered_created_by = $7::text)) is not true) then null else (case jsonb_typeof(d.facts -> $8::text)
    when 'object' then case when d.facts -> $9::text -> 'm' is null then coalesce(d.facts -> $10::text -> 'x', d.facts -> $11::text -> 'u', d.facts -> $12::text -> 'd') end
    when 'boolean' then to_jsonb(d.facts -> $13::text #>> '{}')
    when 'array' then null
    else d.facts -> $14::text end) end) from event_document d where d.seq = s.seq) as sort_facts from event_search s where ((s.terms && $15::bigint[] and (((s.type = $16::text and not s.flags && $3::text[]) or s.registered_created_by = $17::text)) is true) or (s.status = $18::text and s.terms && $19::bigint[] and (((s.type = $20::text and not s.flags && $3::text[]) or s.registered_created_by = $21::text)) is true))
), page as (
  select * from matched order by date_of_event desc nulls last, (case jsonb_typeof(sort_facts -> $22::int) when 'number' then (sort_facts -> $23::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $24::int) when 'string' then (sort_facts -> $25::int #>> '{}') end) collate "C", id limit $26::bigint offset $27::bigint
)
select counted.total, (select not exists (select from term_doubt where hash = any($28::bigint[]))
    and not exists (select from unnest($29::bigint[], $30::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) as proven, (select (select case when not unread and not listed then d.body else (
      select '{' || string_agg(to_json(key)::text || ':' || case
        when key = 'declaration' and unread then (
          select '{' || coalesce(string_agg(to_json(field)::text || ':' || content::text, ',' order by place), '') || '}'
          from json_each(value) with ordinality as declared (field, content, place)
          where field <> all(case s.type when $31::text then $32::text[] when $33::text then $34::text[] end))
        when key = $35::text and unread and s.type = any($36::text[]) then 'null'
        else value::text end, ',' order by at) || '}'
      from json_each(d.body::json) with ordinality as member (key, value, at)) end
    from (select (s.type = any($37::text[]) and (((s.type = $38::text and not s.flags && $3::text[]) or s.registered_created_by = $39::text)) is not true) as unread, false as listed offset 0) as withheld) from event_search s join event_document d using (seq) where d.seq = page.seq) as body, json_build_array(to_jsonb(date_of_event) #>> '{}', ((case jsonb_typeof(sort_facts -> $40::int) when 'number' then (sort_facts -> $41::int #>> '{}')::numeric end))::text, ((case jsonb_typeof(sort_facts -> $42::int) when 'string' then (sort_facts -> $43::int #>> '{}') end))::text, (id)::text)::text as sort_values, (select require_derived_version()) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by date_of_event desc nulls last, (case jsonb_typeof(sort_facts -> $44::int) when 'number' then (sort_facts -> $45::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $46::int) when 'string' then (sort_facts -> $47::int #>> '{}') end) collate "C", id
-- $1 ["birth"]
-- $2 "death"
-- $3 ["sealed"]
-- $4 "caller"
-- $5 ["birth"]
-- $6 "death"
-- $7 "caller"
-- $8 "child.name"
-- $9 "child.name"
-- $10 "child.name"
-- $11 "child.name"
-- $12 "child.name"
-- $13 "child.name"
-- $14 "child.name"
-- $15 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $16 "death"
-- $17 "caller"
-- $18 "REGISTERED"
-- $19 []
-- $20 "death"
-- $21 "caller"
-- $22 0
-- $23 0
-- $24 0
-- $25 0
-- $26 100
-- $27 0
-- $28 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $29 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $30 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 11 mother.name muzonda","word 11 child.place musonda"]
-- $31 "birth"
-- $32 ["child.name","mother.nid"]
-- $33 "death"
-- $34 ["deceased.nid"]
-- $35 "dateOfEvent"
-- $36 ["birth"]
-- $37 ["birth","death"]
-- $38 "death"
-- $39 "caller"
-- $40 0
-- $41 0
-- $42 0
-- $43 0
-- $44 0
-- $45 0
-- $46 0
-- $47 0

-- in doubt
with matched as materialized (
  select s.seq, s.id, case when (s.type = any($1::text[]) and (((s.type = $2::text and not s.flags && $3::text[]) or s.registered_created_by = $4::text)) is not true) then null else s.date_of_event end as date_of_event, (select jsonb_build_array(case when (s.type = any($5::text[]) and (((s.type = $6::text and not s.flags && $3::text[]) or s.registered_created_by = $7::text)) is not true) then null else (case jsonb_typeof(d.facts -> $8::text)
    when 'object' then case when d.facts -> $9::text -> 'm' is null then coalesce(d.facts -> $10::text -> 'x', d.facts -> $11::text -> 'u', d.facts -> $12::text -> 'd') end
    when 'boolean' then to_jsonb(d.facts -> $13::text #>> '{}')
    when 'array' then null
    else d.facts -> $14::text end) end) from event_document d where d.seq = s.seq) as sort_facts from event_search s where (((s.terms && $15::bigint[] and ((select not exists (select from term_doubt where hash = any($16::bigint[]))
    and not exists (select from unnest($17::bigint[], $18::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from (select d.facts #> '{}' as facts offset 0) as plain, unnest($19::text[]) as key, jsonb_path_query(plain.facts -> key, '$[*]') as f(fact) where (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) && $20::text[]) from event_document d where d.seq = s.seq))) and (((s.type = $21::text and not s.flags && $3::text[]) or s.registered_created_by = $22::text)) is true) or (s.status = $23::text and (s.terms && $24::bigint[] and ((select not exists (select from term_doubt where hash = any($25::bigint[]))
    and not exists (select from unnest($26::bigint[], $27::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(d.facts -> $28::text, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($29::text[]) or (case jsonb_typeof(fact) when 'number' then fact #>> '{}' else fact ->> 'n' end)::numeric = any($30::numeric[]) or string_to_array(fact ->> 'w', ' ') @> $31::text[])) from event_document d where d.seq = s.seq))) and (((s.type = $32::text and not s.flags && $3::text[]) or s.registered_created_by = $33::text)) is true))
), page as (
  select * from matched order by date_of_event desc nulls last, (case jsonb_typeof(sort_facts -> $34::int) when 'number' then (sort_facts -> $35::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $36::int) when 'string' then (sort_facts -> $37::int #>> '{}') end) collate "C", id limit $38::bigint offset $39::bigint
)
select counted.total, (select (select case when not unread and not listed then d.body else (
      select '{' || string_agg(to_json(key)::text || ':' || case
        when key = 'declaration' and unread then (
          select '{' || coalesce(string_agg(to_json(field)::text || ':' || content::text, ',' order by place), '') || '}'
          from json_each(value) with ordinality as declared (field, content, place)
          where field <> all(case s.type when $40::text then $41::text[] when $42::text then $43::text[] end))
        when key = $44::text and unread and s.type = any($45::text[]) then 'null'
        else value::text end, ',' order by at) || '}'
      from json_each(d.body::json) with ordinality as member (key, value, at)) end
    from (select (s.type = any($46::text[]) and (((s.type = $47::text and not s.flags && $3::text[]) or s.registered_created_by = $48::text)) is not true) as unread, false as listed offset 0) as withheld) from event_search s join event_document d using (seq) where d.seq = page.seq) as body, json_build_array(to_jsonb(date_of_event) #>> '{}', ((case jsonb_typeof(sort_facts -> $49::int) when 'number' then (sort_facts -> $50::int #>> '{}')::numeric end))::text, ((case jsonb_typeof(sort_facts -> $51::int) when 'string' then (sort_facts -> $52::int #>> '{}') end))::text, (id)::text)::text as sort_values, (select require_derived_version()) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by date_of_event desc nulls last, (case jsonb_typeof(sort_facts -> $53::int) when 'number' then (sort_facts -> $54::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $55::int) when 'string' then (sort_facts -> $56::int #>> '{}') end) collate "C", id
-- $1 ["birth"]
-- $2 "death"
-- $3 ["sealed"]
-- $4 "caller"
-- $5 ["birth"]
-- $6 "death"
-- $7 "caller"
-- $8 "child.name"
-- $9 "child.name"
-- $10 "child.name"
-- $11 "child.name"
-- $12 "child.name"
-- $13 "child.name"
-- $14 "child.name"
-- $15 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $16 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $17 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $18 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 11 mother.name muzonda","word 11 child.place musonda"]
-- $19 ["child.name","mother.name","child.place"]
-- $20 ["musonda","musunda","muzonda"]
-- $21 "death"
-- $22 "caller"
-- $23 "REGISTERED"
-- $24 []
-- $25 []
-- $26 []
-- $27 []
-- $28 "mother.nid"
-- $29 ["123"]
-- $30 [123]
-- $31 ["123"]
-- $32 "death"
-- $33 "caller"
-- $34 0
-- $35 0
-- $36 0
-- $37 0
-- $38 100
-- $39 0
-- $40 "birth"
-- $41 ["child.name","mother.nid"]
-- $42 "death"
-- $43 ["deceased.nid"]
-- $44 "dateOfEvent"
-- $45 ["birth"]
-- $46 ["birth","death"]
-- $47 "death"
-- $48 "caller"
-- $49 0
-- $50 0
-- $51 0
-- $52 0
-- $53 0
-- $54 0
-- $55 0
-- $56 0
