with matched as materialized (
  select s.seq, s.id, s.updated_at, least(case when s.tracking_id = any($1::text[]) then 0 end, ((select (select min(case when coalesce(fact -> 'w', fact -> 'q') ?| $2::text[] then $3::int when coalesce(fact -> 'w', fact -> 'q') ?| $4::text[] then $5::int end) from (select d.facts #> '{}' as facts offset 0) as plain, unnest($6::text[]) as key, jsonb_array_elements(plain.facts -> key) as f(fact)) from event_document d where d.seq = s.seq)), ((select ((select min(case when coalesce(fact -> 'w', fact -> 'q') ?| $7::text[] then $8::int end) from jsonb_array_elements(d.facts -> $9::text) as f(fact))) from event_document d where d.seq = s.seq))) as edits
  from event_search s
  where (s.tracking_id = any($1::text[]) or (s.terms && $10::bigint[] and (select exists (select from (select d.facts #> '{}' as facts offset 0) as plain, unnest($11::text[]) as key, jsonb_array_elements(plain.facts -> key) as f(fact) where coalesce(fact -> 'w', fact -> 'q') ?| $12::text[]) from event_document d where d.seq = s.seq)) or (s.terms && $13::bigint[] and (select exists (select from jsonb_array_elements(d.facts -> $14::text) as f(fact) where coalesce(fact -> 'w', fact -> 'q') ?| $15::text[]) from event_document d where d.seq = s.seq)))
), page as (
  select * from matched order by edits, updated_at desc, id limit $16::bigint offset $17::bigint
)
select counted.total, (select d.body from event_document d where d.seq = page.seq) as body, array[(edits)::text, to_jsonb(updated_at) #>> '{}', (id)::text] as sort_values
from (select count(*) as total from matched) counted
left join page on true
order by edits, updated_at desc, id
-- $1 ["MUSOND"]
-- $2 ["musonda"]
-- $3 0
-- $4 ["musunda","muzonda"]
-- $5 1
-- $6 ["child.name","mother.name","child.place"]
-- $7 ["2024"]
-- $8 1
-- $9 "child.dob"
-- $10 ["-8537569910089861494","2119490769468111283","-8245606863858471324","8836900446455968567","-5851871867790016444","-653180378719640097","-5247910279587903170","7360293678066690260"]
-- $11 ["child.name","mother.name","child.place"]
-- $12 ["musonda","musunda","muzonda"]
-- $13 ["2743303680696747475","-4839958611650642321","1781589203043574513","1990868119352806143"]
-- $14 "child.dob"
-- $15 ["2024"]
-- $16 100
-- $17 0
