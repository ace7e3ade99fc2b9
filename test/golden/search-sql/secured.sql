with matched as materialized (
  select s.seq, s.id, case when (s.type = any($1::text[]) and (((s.type = $2::text and not s.flags && $3::text[]) or (s.registered_created_by = $4::text and coalesce(s.registered_created_by_user_type, $5) = $6::text))) is not true) then null else s.date_of_event end as date_of_event, (select jsonb_build_array(case when (s.type = any($7::text[]) and (((s.type = $8::text and not s.flags && $3::text[]) or (s.registered_created_by = $9::text and coalesce(s.registered_created_by_user_type, $10) = $11::text))) is not true) then null else (select (case jsonb_typeof(fact)
    when 'object' then case when fact -> 'm' is null then coalesce(fact -> 'o', fact -> 'x', fact -> 'u', fact -> 'd') else fact -> 'k' end
    when 'boolean' then to_jsonb(fact #>> '{}')
    when 'array' then null
    else fact end) from (select coalesce(nullif(split_part(split_part(d.body, $12::text, 2), chr(10), 1), '')::jsonb, (select (case jsonb_typeof(whole)
    when 'object' then whole -> 'm'
    when 'array' then case when jsonb_array_length(whole) > 1 and not whole @? '$[1 to last].m' then whole -> 0 -> 'm' end
    end -> $13::text) from (select nullif(split_part(split_part(d.body, $14::text, 2), chr(10), 1), '')::jsonb as whole offset 0) as w)) as fact offset 0) as f) end) from event_document d where d.seq = s.seq) as sort_facts from event_search s where ((s.terms && $15::bigint[] and (((s.type = $16::text and not s.flags && $3::text[]) or (s.registered_created_by = $17::text and coalesce(s.registered_created_by_user_type, $18) = $19::text))) is true) or (s.status = $20::text and s.terms && $21::bigint[] and (((s.type = $22::text and not s.flags && $3::text[]) or (s.registered_created_by = $23::text and coalesce(s.registered_created_by_user_type, $24) = $25::text))) is true))
), page as (
  select * from matched order by date_of_event desc nulls last, (case jsonb_typeof(sort_facts -> $26::int) when 'number' then (sort_facts -> $27::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $28::int) when 'string' then (sort_facts -> $29::int #>> '{}') end) collate "C", id limit $30::bigint offset $31::bigint
)
select counted.total, (select not exists (select from term_doubt where hash = any($32::bigint[]))
    and not exists (select from unnest($33::bigint[], $34::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) as proven, (select (select case when not unread and not listed then split_part(d.body, chr(10), 1) else (
      select '{' || string_agg(to_json(key)::text || ':' || case
        when key = 'declaration' and unread then (
          select '{' || coalesce(string_agg(to_json(field)::text || ':' || content::text, ',' order by place), '') || '}'
          from json_each(value) with ordinality as declared (field, content, place)
          where field <> all(case s.type when $35::text then $36::text[] when $37::text then $38::text[] end))
        when key = $39::text and unread and s.type = any($40::text[]) then 'null'
        else value::text end, ',' order by at) || '}'
      from json_each(split_part(d.body, chr(10), 1)::json) with ordinality as member (key, value, at)) end
    from (select (s.type = any($41::text[]) and (((s.type = $42::text and not s.flags && $3::text[]) or (s.registered_created_by = $43::text and coalesce(s.registered_created_by_user_type, $44) = $45::text))) is not true) as unread, false as listed offset 0) as withheld) from event_search s join event_document d using (seq) where d.seq = page.seq) as body, json_build_array(to_jsonb(date_of_event) #>> '{}', ((case jsonb_typeof(sort_facts -> $46::int) when 'number' then (sort_facts -> $47::int #>> '{}')::numeric end))::text, ((case jsonb_typeof(sort_facts -> $48::int) when 'string' then (sort_facts -> $49::int #>> '{}') end))::text, (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by date_of_event desc nulls last, (case jsonb_typeof(sort_facts -> $50::int) when 'number' then (sort_facts -> $51::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $52::int) when 'string' then (sort_facts -> $53::int #>> '{}') end) collate "C", id
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
-- $13 "name"
-- $14 "\n\"child\":"
-- $15 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $16 "death"
-- $17 "caller"
-- $18 "user"
-- $19 "user"
-- $20 "REGISTERED"
-- $21 []
-- $22 "death"
-- $23 "caller"
-- $24 "user"
-- $25 "user"
-- $26 0
-- $27 0
-- $28 0
-- $29 0
-- $30 100
-- $31 0
-- $32 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $33 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $34 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 11 mother.name muzonda","word 11 child.place musonda"]
-- $35 "birth"
-- $36 ["child.name","mother.nid"]
-- $37 "death"
-- $38 ["deceased.nid"]
-- $39 "dateOfEvent"
-- $40 ["birth"]
-- $41 ["birth","death"]
-- $42 "death"
-- $43 "caller"
-- $44 "user"
-- $45 "user"
-- $46 0
-- $47 0
-- $48 0
-- $49 0
-- $50 0
-- $51 0
-- $52 0
-- $53 0

-- in doubt
with matched as materialized (
  select s.seq, s.id, case when (s.type = any($1::text[]) and (((s.type = $2::text and not s.flags && $3::text[]) or (s.registered_created_by = $4::text and coalesce(s.registered_created_by_user_type, $5) = $6::text))) is not true) then null else s.date_of_event end as date_of_event, (select jsonb_build_array(case when (s.type = any($7::text[]) and (((s.type = $8::text and not s.flags && $3::text[]) or (s.registered_created_by = $9::text and coalesce(s.registered_created_by_user_type, $10) = $11::text))) is not true) then null else (select (case jsonb_typeof(fact)
    when 'object' then case when fact -> 'm' is null then coalesce(fact -> 'o', fact -> 'x', fact -> 'u', fact -> 'd') else fact -> 'k' end
    when 'boolean' then to_jsonb(fact #>> '{}')
    when 'array' then null
    else fact end) from (select coalesce(nullif(split_part(split_part(d.body, $12::text, 2), chr(10), 1), '')::jsonb, (select (case jsonb_typeof(whole)
    when 'object' then whole -> 'm'
    when 'array' then case when jsonb_array_length(whole) > 1 and not whole @? '$[1 to last].m' then whole -> 0 -> 'm' end
    end -> $13::text) from (select nullif(split_part(split_part(d.body, $14::text, 2), chr(10), 1), '')::jsonb as whole offset 0) as w)) as fact offset 0) as f) end) from event_document d where d.seq = s.seq) as sort_facts from event_search s where (((s.terms && $15::bigint[] and ((select not exists (select from term_doubt where hash = any($16::bigint[]))
    and not exists (select from unnest($17::bigint[], $18::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from (select d.body || '' as body offset 0) as plain, unnest($19::text[]) as line, jsonb_path_query(nullif(split_part(split_part(plain.body, line, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) && $20::text[]) from event_document d where d.seq = s.seq))) and (((s.type = $21::text and not s.flags && $3::text[]) or (s.registered_created_by = $22::text and coalesce(s.registered_created_by_user_type, $23) = $24::text))) is true) or (s.status = $25::text and (s.terms && $26::bigint[] and ((select not exists (select from term_doubt where hash = any($27::bigint[]))
    and not exists (select from unnest($28::bigint[], $29::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(nullif(split_part(split_part(d.body, $30::text, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($31::text[]) or (case jsonb_typeof(fact) when 'number' then fact #>> '{}' else fact ->> 'n' end)::numeric = any($32::numeric[]) or string_to_array(fact ->> 'w', ' ') @> $33::text[])) from event_document d where d.seq = s.seq))) and (((s.type = $34::text and not s.flags && $3::text[]) or (s.registered_created_by = $35::text and coalesce(s.registered_created_by_user_type, $36) = $37::text))) is true))
), page as (
  select * from matched order by date_of_event desc nulls last, (case jsonb_typeof(sort_facts -> $38::int) when 'number' then (sort_facts -> $39::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $40::int) when 'string' then (sort_facts -> $41::int #>> '{}') end) collate "C", id limit $42::bigint offset $43::bigint
)
select counted.total, (select (select case when not unread and not listed then split_part(d.body, chr(10), 1) else (
      select '{' || string_agg(to_json(key)::text || ':' || case
        when key = 'declaration' and unread then (
          select '{' || coalesce(string_agg(to_json(field)::text || ':' || content::text, ',' order by place), '') || '}'
          from json_each(value) with ordinality as declared (field, content, place)
          where field <> all(case s.type when $44::text then $45::text[] when $46::text then $47::text[] end))
        when key = $48::text and unread and s.type = any($49::text[]) then 'null'
        else value::text end, ',' order by at) || '}'
      from json_each(split_part(d.body, chr(10), 1)::json) with ordinality as member (key, value, at)) end
    from (select (s.type = any($50::text[]) and (((s.type = $51::text and not s.flags && $3::text[]) or (s.registered_created_by = $52::text and coalesce(s.registered_created_by_user_type, $53) = $54::text))) is not true) as unread, false as listed offset 0) as withheld) from event_search s join event_document d using (seq) where d.seq = page.seq) as body, json_build_array(to_jsonb(date_of_event) #>> '{}', ((case jsonb_typeof(sort_facts -> $55::int) when 'number' then (sort_facts -> $56::int #>> '{}')::numeric end))::text, ((case jsonb_typeof(sort_facts -> $57::int) when 'string' then (sort_facts -> $58::int #>> '{}') end))::text, (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by date_of_event desc nulls last, (case jsonb_typeof(sort_facts -> $59::int) when 'number' then (sort_facts -> $60::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $61::int) when 'string' then (sort_facts -> $62::int #>> '{}') end) collate "C", id
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
-- $13 "name"
-- $14 "\n\"child\":"
-- $15 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $16 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $17 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $18 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 11 mother.name muzonda","word 11 child.place musonda"]
-- $19 ["\n\"child.name\":","\n\"mother.name\":","\n\"child.place\":"]
-- $20 ["musonda","musunda","muzonda"]
-- $21 "death"
-- $22 "caller"
-- $23 "user"
-- $24 "user"
-- $25 "REGISTERED"
-- $26 []
-- $27 []
-- $28 []
-- $29 []
-- $30 "\n\"mother.nid\":"
-- $31 ["123"]
-- $32 [123]
-- $33 ["123"]
-- $34 "death"
-- $35 "caller"
-- $36 "user"
-- $37 "user"
-- $38 0
-- $39 0
-- $40 0
-- $41 0
-- $42 100
-- $43 0
-- $44 "birth"
-- $45 ["child.name","mother.nid"]
-- $46 "death"
-- $47 ["deceased.nid"]
-- $48 "dateOfEvent"
-- $49 ["birth"]
-- $50 ["birth","death"]
-- $51 "death"
-- $52 "caller"
-- $53 "user"
-- $54 "user"
-- $55 0
-- $56 0
-- $57 0
-- $58 0
-- $59 0
-- $60 0
-- $61 0
-- $62 0
