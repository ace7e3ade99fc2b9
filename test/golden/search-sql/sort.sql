with matched as materialized (
  select s.seq, s.id, s.registration_number, s.date_of_event, (select jsonb_build_array((case jsonb_typeof(d.facts -> $1::text)
    when 'object' then case when d.facts -> $2::text -> 'm' is null then coalesce(d.facts -> $3::text -> 'x', d.facts -> $4::text -> 'u', d.facts -> $5::text -> 'd') end
    when 'boolean' then to_jsonb(d.facts -> $6::text #>> '{}')
    when 'array' then null
    else d.facts -> $7::text end), (case jsonb_typeof(d.facts -> $8::text)
    when 'object' then case when d.facts -> $9::text -> 'm' is null then coalesce(d.facts -> $10::text -> 'x', d.facts -> $11::text -> 'u', d.facts -> $12::text -> 'd') end
    when 'boolean' then to_jsonb(d.facts -> $13::text #>> '{}')
    when 'array' then null
    else d.facts -> $14::text end)) from event_document d where d.seq = s.seq) as sort_facts from event_search s where true
), page as (
  select * from matched order by registration_number collate "C" desc nulls last, date_of_event, (case jsonb_typeof(sort_facts -> $15::int) when 'string' then (sort_facts -> $16::int #>> '{}') end) collate "C" desc nulls last, (case jsonb_typeof(sort_facts -> $17::int) when 'number' then (sort_facts -> $18::int #>> '{}')::numeric end) desc nulls last, (case jsonb_typeof(sort_facts -> $19::int) when 'number' then (sort_facts -> $20::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $21::int) when 'string' then (sort_facts -> $22::int #>> '{}') end) collate "C", id limit $23::bigint offset $24::bigint
)
select counted.total, (select d.body from event_document d where d.seq = page.seq) as body, json_build_array((registration_number)::text, to_jsonb(date_of_event) #>> '{}', ((case jsonb_typeof(sort_facts -> $25::int) when 'string' then (sort_facts -> $26::int #>> '{}') end))::text, ((case jsonb_typeof(sort_facts -> $27::int) when 'number' then (sort_facts -> $28::int #>> '{}')::numeric end))::text, ((case jsonb_typeof(sort_facts -> $29::int) when 'number' then (sort_facts -> $30::int #>> '{}')::numeric end))::text, ((case jsonb_typeof(sort_facts -> $31::int) when 'string' then (sort_facts -> $32::int #>> '{}') end))::text, (id)::text)::text as sort_values, (select require_derived_version()) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by registration_number collate "C" desc nulls last, date_of_event, (case jsonb_typeof(sort_facts -> $33::int) when 'string' then (sort_facts -> $34::int #>> '{}') end) collate "C" desc nulls last, (case jsonb_typeof(sort_facts -> $35::int) when 'number' then (sort_facts -> $36::int #>> '{}')::numeric end) desc nulls last, (case jsonb_typeof(sort_facts -> $37::int) when 'number' then (sort_facts -> $38::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $39::int) when 'string' then (sort_facts -> $40::int #>> '{}') end) collate "C", id
-- $1 "child.weight"
-- $2 "child.weight"
-- $3 "child.weight"
-- $4 "child.weight"
-- $5 "child.weight"
-- $6 "child.weight"
-- $7 "child.weight"
-- $8 "child.dob"
-- $9 "child.dob"
-- $10 "child.dob"
-- $11 "child.dob"
-- $12 "child.dob"
-- $13 "child.dob"
-- $14 "child.dob"
-- $15 0
-- $16 0
-- $17 0
-- $18 0
-- $19 1
-- $20 1
-- $21 1
-- $22 1
-- $23 20
-- $24 40
-- $25 0
-- $26 0
-- $27 0
-- $28 0
-- $29 1
-- $30 1
-- $31 1
-- $32 1
-- $33 0
-- $34 0
-- $35 0
-- $36 0
-- $37 1
-- $38 1
-- $39 1
-- $40 1
