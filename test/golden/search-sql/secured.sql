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
select counted.total, (select (select case when not unread and not listed then split_part(d.body, chr(10), 1) else (
      select '{' || string_agg(to_json(key)::text || ':' || case
        when key = 'declaration' and unread then (
          select '{' || coalesce(string_agg(to_json(field)::text || ':' || content::text, ',' order by place), '') || '}'
          from json_each(value) with ordinality as declared (field, content, place)
          where field <> all(case s.type when $32::text then $33::text[] when $34::text then $35::text[] end))
        when key = $36::text and unread and s.type = any($37::text[]) then 'null'
        else value::text end, ',' order by at) || '}'
      from json_each(split_part(d.body, chr(10), 1)::json) with ordinality as member (key, value, at)) end
    from (select (s.type = any($38::text[]) and (((s.type = $39::text and not s.flags && $3::text[]) or (s.registered_created_by = $40::text and coalesce(s.registered_created_by_user_type, $41) = $42::text))) is not true) as unread, false as listed offset 0) as withheld) from event_search s join event_document d using (seq) where d.seq = page.seq) as body, json_build_array(to_jsonb(date_of_event) #>> '{}', ((case jsonb_typeof(sort_facts -> $43::int) when 'number' then (sort_facts -> $44::int #>> '{}')::numeric end))::text, ((case jsonb_typeof(sort_facts -> $45::int) when 'string' then (sort_facts -> $46::int #>> '{}') end))::text, (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by date_of_event desc nulls last, (case jsonb_typeof(sort_facts -> $47::int) when 'number' then (sort_facts -> $48::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $49::int) when 'string' then (sort_facts -> $50::int #>> '{}') end) collate "C", id
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
-- $15 ["945028891080903888","3358400732468033028","158689542602688400","-6507032836096913880"]
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
-- $32 "birth"
-- $33 ["child.name","mother.nid"]
-- $34 "death"
-- $35 ["deceased.nid"]
-- $36 "dateOfEvent"
-- $37 ["birth"]
-- $38 ["birth","death"]
-- $39 "death"
-- $40 "caller"
-- $41 "user"
-- $42 "user"
-- $43 0
-- $44 0
-- $45 0
-- $46 0
-- $47 0
-- $48 0
-- $49 0
-- $50 0
