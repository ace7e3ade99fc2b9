with matched as materialized (
  select s.seq, s.id, s.updated_at, least(case when s.tracking_id = any($1::text[]) then 0 end, ((select (select min(case when coalesce(fact -> 'w', fact -> 'q') ?| $2::text[] then $3::int when coalesce(fact -> 'w', fact -> 'q') ?| $4::text[] then $5::int end) from jsonb_each(d.facts) as field, jsonb_array_elements(field.value) as f(fact)) from event_document d where d.seq = s.seq)), ((select ((select min(case when coalesce(fact -> 'w', fact -> 'q') ?| $6::text[] then $7::int end) from jsonb_array_elements(d.facts -> $8::text) as f(fact))) from event_document d where d.seq = s.seq))) as edits
  from event_search s
  where (s.tracking_id = any($9::text[]) or (s.terms && $10::bigint[] and (select exists (select from jsonb_each(d.facts) as field, jsonb_array_elements(field.value) as f(fact) where coalesce(fact -> 'w', fact -> 'q') ?| $11::text[]) from event_document d where d.seq = s.seq)) or (s.terms && $12::bigint[] and (select exists (select from jsonb_array_elements(d.facts -> $13::text) as f(fact) where coalesce(fact -> 'w', fact -> 'q') ?| $14::text[]) from event_document d where d.seq = s.seq)))
), page as (
  select * from matched order by edits, updated_at desc nulls last, id limit $15::bigint offset $16::bigint
)
select counted.total, event_document.body
from (select count(*) as total from matched) counted
left join (page join event_document using (seq)) on true
order by edits, updated_at desc nulls last, id
-- $1 ["MUSOND"]
-- $2 ["musonda"]
-- $3 0
-- $4 ["musunda","muzonda"]
-- $5 1
-- $6 ["2024"]
-- $7 1
-- $8 "child.dob"
-- $9 ["MUSOND"]
-- $10 ["-8537569910089861494","2119490769468111283","-8245606863858471324","8836900446455968567","-5851871867790016444","-653180378719640097","-5247910279587903170","7360293678066690260"]
-- $11 ["musonda","musunda","muzonda"]
-- $12 ["2743303680696747475","-4839958611650642321","1781589203043574513","1990868119352806143"]
-- $13 "child.dob"
-- $14 ["2024"]
-- $15 100
-- $16 0
