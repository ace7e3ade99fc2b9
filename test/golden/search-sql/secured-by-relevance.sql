with matched as materialized (
  select seq, id, updated_at, min(edits) as edits from (
    select s.seq, s.id, s.updated_at, $1::int as edits from event_search s where ((s.terms && $2::bigint[] and (((s.type = $3::text and not s.flags && $4::text[]) or (s.registered_created_by = $5::text and coalesce(s.registered_created_by_user_type, $6) = $7::text))) is true) or (s.status = $8::text and s.terms && $9::bigint[] and (((s.type = $10::text and not s.flags && $4::text[]) or (s.registered_created_by = $11::text and coalesce(s.registered_created_by_user_type, $12) = $13::text))) is true))
    union all select s.seq, s.id, s.updated_at, $14::int as edits from event_search s where (s.terms && $15::bigint[] and (((s.type = $16::text and not s.flags && $4::text[]) or (s.registered_created_by = $17::text and coalesce(s.registered_created_by_user_type, $18) = $19::text))) is true)
  ) banded group by seq, id, updated_at
), page as (
  select * from matched order by edits, updated_at desc, id limit $20::bigint offset $21::bigint
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
    from (select (s.type = any($31::text[]) and (((s.type = $32::text and not s.flags && $4::text[]) or (s.registered_created_by = $33::text and coalesce(s.registered_created_by_user_type, $34) = $35::text))) is not true) as unread, false as listed offset 0) as withheld) from event_search s join event_document d using (seq) where d.seq = page.seq) as body, json_build_array((edits)::text, to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
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
-- $6 "user"
-- $7 "user"
-- $8 "REGISTERED"
-- $9 []
-- $10 "death"
-- $11 "caller"
-- $12 "user"
-- $13 "user"
-- $14 1
-- $15 ["2593978819883971422","3598565626064234646"]
-- $16 "death"
-- $17 "caller"
-- $18 "user"
-- $19 "user"
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
-- $34 "user"
-- $35 "user"

-- in doubt
with matched as materialized (
  select s.seq, s.id, s.updated_at, least((case when ((s.type = $1::text and not s.flags && $2::text[]) or (s.registered_created_by = $3::text and coalesce(s.registered_created_by_user_type, $4) = $5::text)) then case when (select not exists (select from term_doubt where hash = any($6::bigint[]))
    and not exists (select from unnest($7::bigint[], $8::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) then case when s.terms && $9::bigint[] then $10::int when s.terms && $11::bigint[] then $12::int end else (select (select min((select case when own.words && $13::text[] then $14::int when own.words && $15::text[] then $16::int end from (select (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) as words offset 0) as own)) from (select d.body || '' as body offset 0) as plain, unnest($17::text[]) as line, jsonb_path_query(nullif(split_part(split_part(plain.body, line, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact)) from event_document d where d.seq = s.seq) end end), case when (s.status = $18::text and ((s.type = $19::text and not s.flags && $2::text[]) or (s.registered_created_by = $20::text and coalesce(s.registered_created_by_user_type, $21) = $22::text)) and (s.terms && $23::bigint[] and ((select not exists (select from term_doubt where hash = any($24::bigint[]))
    and not exists (select from unnest($25::bigint[], $26::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(nullif(split_part(split_part(d.body, $27::text, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($28::text[]) or (case jsonb_typeof(fact) when 'number' then fact #>> '{}' else fact ->> 'n' end)::numeric = any($29::numeric[]) or string_to_array(fact ->> 'w', ' ') @> $30::text[])) from event_document d where d.seq = s.seq)))) then 0 end) as edits from event_search s where (((s.terms && $31::bigint[] and ((select not exists (select from term_doubt where hash = any($32::bigint[]))
    and not exists (select from unnest($33::bigint[], $34::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from (select d.body || '' as body offset 0) as plain, unnest($35::text[]) as line, jsonb_path_query(nullif(split_part(split_part(plain.body, line, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) && $36::text[]) from event_document d where d.seq = s.seq))) and (((s.type = $37::text and not s.flags && $2::text[]) or (s.registered_created_by = $38::text and coalesce(s.registered_created_by_user_type, $39) = $40::text))) is true) or (s.status = $41::text and (s.terms && $42::bigint[] and ((select not exists (select from term_doubt where hash = any($43::bigint[]))
    and not exists (select from unnest($44::bigint[], $45::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(nullif(split_part(split_part(d.body, $46::text, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($28::text[]) or (case jsonb_typeof(fact) when 'number' then fact #>> '{}' else fact ->> 'n' end)::numeric = any($29::numeric[]) or string_to_array(fact ->> 'w', ' ') @> $30::text[])) from event_document d where d.seq = s.seq))) and (((s.type = $47::text and not s.flags && $2::text[]) or (s.registered_created_by = $48::text and coalesce(s.registered_created_by_user_type, $49) = $50::text))) is true))
), page as (
  select * from matched order by edits, updated_at desc, id limit $51::bigint offset $52::bigint
)
select counted.total, (select (select case when not unread and not listed then split_part(d.body, chr(10), 1) else (
      select '{' || string_agg(to_json(key)::text || ':' || case
        when key = 'declaration' and unread then (
          select '{' || coalesce(string_agg(to_json(field)::text || ':' || content::text, ',' order by place), '') || '}'
          from json_each(value) with ordinality as declared (field, content, place)
          where field <> all(case s.type when $53::text then $54::text[] when $55::text then $56::text[] end))
        when key = $57::text and unread and s.type = any($58::text[]) then 'null'
        else value::text end, ',' order by at) || '}'
      from json_each(split_part(d.body, chr(10), 1)::json) with ordinality as member (key, value, at)) end
    from (select (s.type = any($59::text[]) and (((s.type = $60::text and not s.flags && $2::text[]) or (s.registered_created_by = $61::text and coalesce(s.registered_created_by_user_type, $62) = $63::text))) is not true) as unread, false as listed offset 0) as withheld) from event_search s join event_document d using (seq) where d.seq = page.seq) as body, json_build_array((edits)::text, to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by edits, updated_at desc, id
-- $1 "death"
-- $2 ["sealed"]
-- $3 "caller"
-- $4 "user"
-- $5 "user"
-- $6 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $7 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $8 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 11 mother.name muzonda","word 11 child.place musonda"]
-- $9 ["-4345106794892869370","-8782320603510308474"]
-- $10 0
-- $11 ["2593978819883971422","3598565626064234646"]
-- $12 1
-- $13 ["musonda"]
-- $14 0
-- $15 ["musonda","musunda","muzonda"]
-- $16 1
-- $17 ["\n\"child.name\":","\n\"mother.name\":","\n\"child.place\":"]
-- $18 "REGISTERED"
-- $19 "death"
-- $20 "caller"
-- $21 "user"
-- $22 "user"
-- $23 []
-- $24 []
-- $25 []
-- $26 []
-- $27 "\n\"mother.nid\":"
-- $28 ["123"]
-- $29 [123]
-- $30 ["123"]
-- $31 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $32 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $33 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $34 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 11 mother.name muzonda","word 11 child.place musonda"]
-- $35 ["\n\"child.name\":","\n\"mother.name\":","\n\"child.place\":"]
-- $36 ["musonda","musunda","muzonda"]
-- $37 "death"
-- $38 "caller"
-- $39 "user"
-- $40 "user"
-- $41 "REGISTERED"
-- $42 []
-- $43 []
-- $44 []
-- $45 []
-- $46 "\n\"mother.nid\":"
-- $47 "death"
-- $48 "caller"
-- $49 "user"
-- $50 "user"
-- $51 100
-- $52 0
-- $53 "birth"
-- $54 ["child.name","mother.nid"]
-- $55 "death"
-- $56 ["deceased.nid"]
-- $57 "dateOfEvent"
-- $58 ["birth"]
-- $59 ["birth","death"]
-- $60 "death"
-- $61 "caller"
-- $62 "user"
-- $63 "user"
