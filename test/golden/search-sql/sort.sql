with matched as materialized (
  select s.seq, s.id, s.registration_number, s.date_of_event, (select jsonb_build_array(case when jsonb_array_length(d.facts -> $1::text) = 1 and not d.facts -> $2::text -> 0 ? 'm' then d.facts -> $3::text -> 0 end, case when jsonb_array_length(d.facts -> $4::text) = 1 and not d.facts -> $5::text -> 0 ? 'm' then d.facts -> $6::text -> 0 end) from event_document d where d.seq = s.seq) as sort_facts
  from event_search s
  where true
), page as (
  select * from matched order by registration_number collate "C" desc nulls last, date_of_event, coalesce(sort_facts -> $7::int ->> 'x', sort_facts -> $8::int ->> 't') collate "C" desc nulls last, (sort_facts -> $9::int ->> 'n')::numeric desc nulls last, (sort_facts -> $10::int ->> 'n')::numeric, coalesce(sort_facts -> $11::int ->> 'x', sort_facts -> $12::int ->> 't') collate "C", id limit $13::bigint offset $14::bigint
)
select counted.total, (select d.body from event_document d where d.seq = page.seq) as body, array[(registration_number)::text, to_jsonb(date_of_event) #>> '{}', (coalesce(sort_facts -> $15::int ->> 'x', sort_facts -> $16::int ->> 't'))::text, ((sort_facts -> $17::int ->> 'n')::numeric)::text, ((sort_facts -> $18::int ->> 'n')::numeric)::text, (coalesce(sort_facts -> $19::int ->> 'x', sort_facts -> $20::int ->> 't'))::text, (id)::text] as sort_values
from (select count(*) as total from matched) counted
left join page on true
order by registration_number collate "C" desc nulls last, date_of_event, coalesce(sort_facts -> $21::int ->> 'x', sort_facts -> $22::int ->> 't') collate "C" desc nulls last, (sort_facts -> $23::int ->> 'n')::numeric desc nulls last, (sort_facts -> $24::int ->> 'n')::numeric, coalesce(sort_facts -> $25::int ->> 'x', sort_facts -> $26::int ->> 't') collate "C", id
-- $1 "child.weight"
-- $2 "child.weight"
-- $3 "child.weight"
-- $4 "child.dob"
-- $5 "child.dob"
-- $6 "child.dob"
-- $7 0
-- $8 0
-- $9 0
-- $10 1
-- $11 1
-- $12 1
-- $13 20
-- $14 40
-- $15 0
-- $16 0
-- $17 0
-- $18 1
-- $19 1
-- $20 1
-- $21 0
-- $22 0
-- $23 0
-- $24 1
-- $25 1
-- $26 1
