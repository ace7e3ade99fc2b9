with matched as materialized (
  select s.seq, s.id, case when (s.type = any($1::text[]) and (((s.type = $2::text and not s.flags && $3::text[]) or (s.registered_created_by = $4::text and coalesce(s.registered_created_by_user_type, $5) = $6::text))) is not true) then null else s.date_of_event end as date_of_event, (select jsonb_build_array(case when (s.type = any($7::text[]) and (((s.type = $8::text and not s.flags && $3::text[]) or (s.registered_created_by = $9::text and coalesce(s.registered_created_by_user_type, $10) = $11::text))) is not true) then null else (select (case jsonb_typeof(fact)
    when 'object' then case when fact -> 'm' is null then coalesce(fact -> 'o', fact -> 'x', fact -> 'u', fact -> 'd') end
    when 'boolean' then to_jsonb(fact #>> '{}')
    when 'array' then null
    else fact end) from (select nullif(split_part(split_part(d.body, $12::text, 2), chr(10), 1), '')::jsonb as fact offset 0) as f) end) from event_document d where d.seq = s.seq) as sort_facts from event_search s where ((s.terms && $13::bigint[] and (((s.type = $14::text and not s.flags && $3::text[]) or (s.registered_created_by = $15::text and coalesce(s.registered_created_by_user_type, $16) = $17::text))) is true) or (s.status = $18::text and s.terms && $19::bigint[] and (((s.type = $20::text and not s.flags && $3::text[]) or (s.registered_created_by = $21::text and coalesce(s.registered_created_by_user_type, $22) = $23::text))) is true))
), page as (
  select * from matched order by date_of_event desc nulls last, (case jsonb_typeof(sort_facts -> $24::int) when 'number' then (sort_facts -> $25::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $26::int) when 'string' then (sort_facts -> $27::int #>> '{}') end) collate "C", id limit $28::bigint offset $29::bigint
)
select counted.total, (select not exists (select from term_doubt where hash = any($30::bigint[]))
    and not exists (select from unnest($31::bigint[], $32::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) as proven, (select (select case when not unread and not listed then split_part(d.body, chr(10), 1) else (
      select '{' || string_agg(to_json(key)::text || ':' || case
        when key = 'declaration' and unread then (
          select '{' || coalesce(string_agg(to_json(field)::text || ':' || content::text, ',' order by place), '') || '}'
          from json_each(value) with ordinality as declared (field, content, place)
          where field <> all(case s.type when $33::text then $34::text[] when $35::text then $36::text[] end))
        when key = $37::text and unread and s.type = any($38::text[]) then 'null'
        else value::text end, ',' order by at) || '}'
      from json_each(split_part(d.body, chr(10), 1)::json) with ordinality as member (key, value, at)) end
    from (select (s.type = any($39::text[]) and (((s.type = $40::text and not s.flags && $3::text[]) or (s.registered_created_by = $41::text and coalesce(s.registered_created_by_user_type, $42) = $43::text))) is not true) as unread, false as listed offset 0) as withheld) from event_search s join event_document d using (seq) where d.seq = page.seq) as body, json_build_array(to_jsonb(date_of_event) #>> '{}', ((case jsonb_typeof(sort_facts -> $44::int) when 'number' then (sort_facts -> $45::int #>> '{}')::numeric end))::text, ((case jsonb_typeof(sort_facts -> $46::int) when 'string' then (sort_facts -> $47::int #>> '{}') end))::text, (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by date_of_event desc nulls last, (case jsonb_typeof(sort_facts -> $48::int) when 'number' then (sort_facts -> $49::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $50::int) when 'string' then (sort_facts -> $51::int #>> '{}') end) collate "C", id
-- $1 ["birth"]
-- $2 "death"
-- $3 ["sealed"]
-- $4 "caller"
-- $5 "user"
-- $6 "user"
-- $7 ["birth"]
-- $8 "death"
-- $9 "caller"
-- $10 "user"
-- $11 "user"
-- $12 "\n\"child.name\":"
-- $13 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $14 "death"
-- $15 "caller"
-- $16 "user"
-- $17 "user"
-- $18 "REGISTERED"
-- $19 []
-- $20 "death"
-- $21 "caller"
-- $22 "user"
-- $23 "user"
-- $24 0
-- $25 0
-- $26 0
-- $27 0
-- $28 100
-- $29 0
-- $30 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $31 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $32 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 11 mother.name muzonda","word 11 child.place musonda"]
-- $33 "birth"
-- $34 ["child.name","mother.nid"]
-- $35 "death"
-- $36 ["deceased.nid"]
-- $37 "dateOfEvent"
-- $38 ["birth"]
-- $39 ["birth","death"]
-- $40 "death"
-- $41 "caller"
-- $42 "user"
-- $43 "user"
-- $44 0
-- $45 0
-- $46 0
-- $47 0
-- $48 0
-- $49 0
-- $50 0
-- $51 0

-- in doubt
with matched as materialized (
  select s.seq, s.id, case when (s.type = any($1::text[]) and (((s.type = $2::text and not s.flags && $3::text[]) or (s.registered_created_by = $4::text and coalesce(s.registered_created_by_user_type, $5) = $6::text))) is not true) then null else s.date_of_event end as date_of_event, (select jsonb_build_array(case when (s.type = any($7::text[]) and (((s.type = $8::text and not s.flags && $3::text[]) or (s.registered_created_by = $9::text and coalesce(s.registered_created_by_user_type, $10) = $11::text))) is not true) then null else (select (case jsonb_typeof(fact)
    when 'object' then case when fact -> 'm' is null then coalesce(fact -> 'o', fact -> 'x', fact -> 'u', fact -> 'd') end
    when 'boolean' then to_jsonb(fact #>> '{}')
    when 'array' then null
    else fact end) from (select nullif(split_part(split_part(d.body, $12::text, 2), chr(10), 1), '')::jsonb as fact offset 0) as f) end) from event_document d where d.seq = s.seq) as sort_facts from event_search s where (((s.terms && $13::bigint[] and ((select not exists (select from term_doubt where hash = any($14::bigint[]))
    and not exists (select from unnest($15::bigint[], $16::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from (select d.body || '' as body offset 0) as plain, unnest($17::text[]) as line, jsonb_path_query(nullif(split_part(split_part(plain.body, line, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) && $18::text[]) from event_document d where d.seq = s.seq))) and (((s.type = $19::text and not s.flags && $3::text[]) or (s.registered_created_by = $20::text and coalesce(s.registered_created_by_user_type, $21) = $22::text))) is true) or (s.status = $23::text and (s.terms && $24::bigint[] and ((select not exists (select from term_doubt where hash = any($25::bigint[]))
    and not exists (select from unnest($26::bigint[], $27::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(nullif(split_part(split_part(d.body, $28::text, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($29::text[]) or (case jsonb_typeof(fact) when 'number' then fact #>> '{}' else fact ->> 'n' end)::numeric = any($30::numeric[]) or string_to_array(fact ->> 'w', ' ') @> $31::text[])) from event_document d where d.seq = s.seq))) and (((s.type = $32::text and not s.flags && $3::text[]) or (s.registered_created_by = $33::text and coalesce(s.registered_created_by_user_type, $34) = $35::text))) is true))
), page as (
  select * from matched order by date_of_event desc nulls last, (case jsonb_typeof(sort_facts -> $36::int) when 'number' then (sort_facts -> $37::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $38::int) when 'string' then (sort_facts -> $39::int #>> '{}') end) collate "C", id limit $40::bigint offset $41::bigint
)
select counted.total, (select (select case when not unread and not listed then split_part(d.body, chr(10), 1) else (
      select '{' || string_agg(to_json(key)::text || ':' || case
        when key = 'declaration' and unread then (
          select '{' || coalesce(string_agg(to_json(field)::text || ':' || content::text, ',' order by place), '') || '}'
          from json_each(value) with ordinality as declared (field, content, place)
          where field <> all(case s.type when $42::text then $43::text[] when $44::text then $45::text[] end))
        when key = $46::text and unread and s.type = any($47::text[]) then 'null'
        else value::text end, ',' order by at) || '}'
      from json_each(split_part(d.body, chr(10), 1)::json) with ordinality as member (key, value, at)) end
    from (select (s.type = any($48::text[]) and (((s.type = $49::text and not s.flags && $3::text[]) or (s.registered_created_by = $50::text and coalesce(s.registered_created_by_user_type, $51) = $52::text))) is not true) as unread, false as listed offset 0) as withheld) from event_search s join event_document d using (seq) where d.seq = page.seq) as body, json_build_array(to_jsonb(date_of_event) #>> '{}', ((case jsonb_typeof(sort_facts -> $53::int) when 'number' then (sort_facts -> $54::int #>> '{}')::numeric end))::text, ((case jsonb_typeof(sort_facts -> $55::int) when 'string' then (sort_facts -> $56::int #>> '{}') end))::text, (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by date_of_event desc nulls last, (case jsonb_typeof(sort_facts -> $57::int) when 'number' then (sort_facts -> $58::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $59::int) when 'string' then (sort_facts -> $60::int #>> '{}') end) collate "C", id
-- $1 ["birth"]
-- $2 "death"
-- $3 ["sealed"]
-- $4 "caller"
-- $5 "user"
-- $6 "user"
-- $7 ["birth"]
-- $8 "death"
-- $9 "caller"
-- $10 "user"
-- $11 "user"
-- $12 "\n\"child.name\":"
-- $13 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $14 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $15 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $16 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 11 mother.name muzonda","word 11 child.place musonda"]
-- $17 ["\n\"child.name\":","\n\"mother.name\":","\n\"child.place\":"]
-- $18 ["musonda","musunda","muzonda"]
-- $19 "death"
-- $20 "caller"
-- $21 "user"
-- $22 "user"
-- $23 "REGISTERED"
-- $24 []
-- $25 []
-- $26 []
-- $27 []
-- $28 "\n\"mother.nid\":"
-- $29 ["123"]
-- $30 [123]
-- $31 ["123"]
-- $32 "death"
-- $33 "caller"
-- $34 "user"
-- $35 "user"
-- $36 0
-- $37 0
-- $38 0
-- $39 0
-- $40 100
-- $41 0
-- $42 "birth"
-- $43 ["child.name","mother.nid"]
-- $44 "death"
-- $45 ["deceased.nid"]
-- $46 "dateOfEvent"
-- $47 ["birth"]
-- $48 ["birth","death"]
-- $49 "death"
-- $50 "caller"
-- $51 "user"
-- $52 "user"
-- $53 0
-- $54 0
-- $55 0
-- $56 0
-- $57 0
-- $58 0
-- $59 0
-- $60 0
