with matched as materialized (
  select seq, id, updated_at, min(edits) as edits from (
    select s.seq, s.id, s.updated_at, $1::int as edits from event_search s where ((s.terms && $2::bigint[] and (((s.type = $3::text and not s.flags && $4::text[]) or (s.registered_created_by = $5::text and coalesce(s.registered_created_by_user_type, $6) = $7::text))) is true) or (s.status = $8::text and s.terms && $9::bigint[] and (((s.type = $10::text and not s.flags && $4::text[]) or (s.registered_created_by = $11::text and coalesce(s.registered_created_by_user_type, $12) = $13::text))) is true))
    union all select s.seq, s.id, s.updated_at, $14::int as edits from event_search s where (s.terms && $15::bigint[] and (((s.type = $16::text and not s.flags && $4::text[]) or (s.registered_created_by = $17::text and coalesce(s.registered_created_by_user_type, $18) = $19::text))) is true)
  ) banded group by seq, id, updated_at
), page as (
  select * from matched order by edits, updated_at desc, id limit $20::bigint offset $21::bigint
)
select counted.total, (select (select case when not unread and not listed then split_part(d.body, chr(10), 1) else (
      select '{' || string_agg(to_json(key)::text || ':' || case
        when key = 'declaration' and unread then (
          select '{' || coalesce(string_agg(to_json(field)::text || ':' || content::text, ',' order by place), '') || '}'
          from json_each(value) with ordinality as declared (field, content, place)
          where field <> all(case s.type when $22::text then $23::text[] when $24::text then $25::text[] end))
        when key = $26::text and unread and s.type = any($27::text[]) then 'null'
        else value::text end, ',' order by at) || '}'
      from json_each(split_part(d.body, chr(10), 1)::json) with ordinality as member (key, value, at)) end
    from (select (s.type = any($28::text[]) and (((s.type = $29::text and not s.flags && $4::text[]) or (s.registered_created_by = $30::text and coalesce(s.registered_created_by_user_type, $31) = $32::text))) is not true) as unread, false as listed offset 0) as withheld) from event_search s join event_document d using (seq) where d.seq = page.seq) as body, json_build_array((edits)::text, to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by edits, updated_at desc, id
-- $1 0
-- $2 ["945028891080903888","-6507032836096913880"]
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
-- $15 ["3358400732468033028","158689542602688400"]
-- $16 "death"
-- $17 "caller"
-- $18 "user"
-- $19 "user"
-- $20 100
-- $21 0
-- $22 "birth"
-- $23 ["child.name","mother.nid"]
-- $24 "death"
-- $25 ["deceased.nid"]
-- $26 "dateOfEvent"
-- $27 ["birth"]
-- $28 ["birth","death"]
-- $29 "death"
-- $30 "caller"
-- $31 "user"
-- $32 "user"
