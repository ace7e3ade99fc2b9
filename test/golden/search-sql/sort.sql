with matched as materialized (
  select s.seq, s.id, s.registration_number, s.date_of_event, (select jsonb_build_array((select (case jsonb_typeof(fact)
    when 'object' then case when fact -> 'm' is null then coalesce(fact -> 'o', fact -> 'x', fact -> 'u', fact -> 'd') end
    when 'boolean' then to_jsonb(fact #>> '{}')
    when 'array' then null
    else fact end) from (select nullif(split_part(split_part(d.body, $1::text, 2), chr(10), 1), '')::jsonb as fact offset 0) as f), (select (case jsonb_typeof(fact)
    when 'object' then case when fact -> 'm' is null then coalesce(fact -> 'o', fact -> 'x', fact -> 'u', fact -> 'd') end
    when 'boolean' then to_jsonb(fact #>> '{}')
    when 'array' then null
    else fact end) from (select nullif(split_part(split_part(d.body, $2::text, 2), chr(10), 1), '')::jsonb as fact offset 0) as f)) from event_document d where d.seq = s.seq) as sort_facts from event_search s where true
), page as (
  select * from matched order by registration_number collate "C" desc nulls last, date_of_event, (case jsonb_typeof(sort_facts -> $3::int) when 'string' then (sort_facts -> $4::int #>> '{}') end) collate "C" desc nulls last, (case jsonb_typeof(sort_facts -> $5::int) when 'number' then (sort_facts -> $6::int #>> '{}')::numeric end) desc nulls last, (case jsonb_typeof(sort_facts -> $7::int) when 'number' then (sort_facts -> $8::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $9::int) when 'string' then (sort_facts -> $10::int #>> '{}') end) collate "C", id limit $11::bigint offset $12::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array((registration_number)::text, to_jsonb(date_of_event) #>> '{}', ((case jsonb_typeof(sort_facts -> $13::int) when 'string' then (sort_facts -> $14::int #>> '{}') end))::text, ((case jsonb_typeof(sort_facts -> $15::int) when 'number' then (sort_facts -> $16::int #>> '{}')::numeric end))::text, ((case jsonb_typeof(sort_facts -> $17::int) when 'number' then (sort_facts -> $18::int #>> '{}')::numeric end))::text, ((case jsonb_typeof(sort_facts -> $19::int) when 'string' then (sort_facts -> $20::int #>> '{}') end))::text, (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by registration_number collate "C" desc nulls last, date_of_event, (case jsonb_typeof(sort_facts -> $21::int) when 'string' then (sort_facts -> $22::int #>> '{}') end) collate "C" desc nulls last, (case jsonb_typeof(sort_facts -> $23::int) when 'number' then (sort_facts -> $24::int #>> '{}')::numeric end) desc nulls last, (case jsonb_typeof(sort_facts -> $25::int) when 'number' then (sort_facts -> $26::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $27::int) when 'string' then (sort_facts -> $28::int #>> '{}') end) collate "C", id
-- $1 "\n\"child.weight\":"
-- $2 "\n\"child.dob\":"
-- $3 0
-- $4 0
-- $5 0
-- $6 0
-- $7 1
-- $8 1
-- $9 1
-- $10 1
-- $11 20
-- $12 40
-- $13 0
-- $14 0
-- $15 0
-- $16 0
-- $17 1
-- $18 1
-- $19 1
-- $20 1
-- $21 0
-- $22 0
-- $23 0
-- $24 0
-- $25 1
-- $26 1
-- $27 1
-- $28 1
