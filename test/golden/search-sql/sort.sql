with matched as materialized (
  select s.seq, s.id, s.registration_number, s.date_of_event, (select jsonb_build_array((select (case jsonb_typeof(fact)
    when 'object' then case when fact -> 'm' is null then coalesce(fact -> 'o', fact -> 'x', fact -> 'u', fact -> 'd') else fact -> 'k' end
    when 'boolean' then to_jsonb(fact #>> '{}')
    when 'array' then null
    else fact end) from (select coalesce(nullif(split_part(split_part(d.body, $1::text, 2), chr(10), 1), '')::jsonb, (select (case jsonb_typeof(whole)
    when 'object' then whole -> 'm'
    when 'array' then case when jsonb_array_length(whole) > 1 and not whole @? '$[1 to last].m' then whole -> 0 -> 'm' end
    end -> $2::text) from (select nullif(split_part(split_part(d.body, $3::text, 2), chr(10), 1), '')::jsonb as whole offset 0) as w)) as fact offset 0) as f), (select (case jsonb_typeof(fact)
    when 'object' then case when fact -> 'm' is null then coalesce(fact -> 'o', fact -> 'x', fact -> 'u', fact -> 'd') else fact -> 'k' end
    when 'boolean' then to_jsonb(fact #>> '{}')
    when 'array' then null
    else fact end) from (select coalesce(nullif(split_part(split_part(d.body, $4::text, 2), chr(10), 1), '')::jsonb, (select (case jsonb_typeof(whole)
    when 'object' then whole -> 'm'
    when 'array' then case when jsonb_array_length(whole) > 1 and not whole @? '$[1 to last].m' then whole -> 0 -> 'm' end
    end -> $5::text) from (select nullif(split_part(split_part(d.body, $6::text, 2), chr(10), 1), '')::jsonb as whole offset 0) as w)) as fact offset 0) as f)) from event_document d where d.seq = s.seq) as sort_facts from event_search s where true
), page as (
  select * from matched order by registration_number collate "C" desc nulls last, date_of_event, (case jsonb_typeof(sort_facts -> $7::int) when 'string' then (sort_facts -> $8::int #>> '{}') end) collate "C" desc nulls last, (case jsonb_typeof(sort_facts -> $9::int) when 'number' then (sort_facts -> $10::int #>> '{}')::numeric end) desc nulls last, (case jsonb_typeof(sort_facts -> $11::int) when 'number' then (sort_facts -> $12::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $13::int) when 'string' then (sort_facts -> $14::int #>> '{}') end) collate "C", id limit $15::bigint offset $16::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array((registration_number)::text, to_jsonb(date_of_event) #>> '{}', ((case jsonb_typeof(sort_facts -> $17::int) when 'string' then (sort_facts -> $18::int #>> '{}') end))::text, ((case jsonb_typeof(sort_facts -> $19::int) when 'number' then (sort_facts -> $20::int #>> '{}')::numeric end))::text, ((case jsonb_typeof(sort_facts -> $21::int) when 'number' then (sort_facts -> $22::int #>> '{}')::numeric end))::text, ((case jsonb_typeof(sort_facts -> $23::int) when 'string' then (sort_facts -> $24::int #>> '{}') end))::text, (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by registration_number collate "C" desc nulls last, date_of_event, (case jsonb_typeof(sort_facts -> $25::int) when 'string' then (sort_facts -> $26::int #>> '{}') end) collate "C" desc nulls last, (case jsonb_typeof(sort_facts -> $27::int) when 'number' then (sort_facts -> $28::int #>> '{}')::numeric end) desc nulls last, (case jsonb_typeof(sort_facts -> $29::int) when 'number' then (sort_facts -> $30::int #>> '{}')::numeric end), (case jsonb_typeof(sort_facts -> $31::int) when 'string' then (sort_facts -> $32::int #>> '{}') end) collate "C", id
-- $1 "\n\"child.weight\":"
-- $2 "weight"
-- $3 "\n\"child\":"
-- $4 "\n\"child.dob\":"
-- $5 "dob"
-- $6 "\n\"child\":"
-- $7 0
-- $8 0
-- $9 0
-- $10 0
-- $11 1
-- $12 1
-- $13 1
-- $14 1
-- $15 20
-- $16 40
-- $17 0
-- $18 0
-- $19 0
-- $20 0
-- $21 1
-- $22 1
-- $23 1
-- $24 1
-- $25 0
-- $26 0
-- $27 0
-- $28 0
-- $29 1
-- $30 1
-- $31 1
-- $32 1
