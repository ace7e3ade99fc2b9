with matched as materialized (
  select s.seq, s.id, s.updated_at
  from event_search s
  where ((s.terms && $1::bigint[] and (s.terms @> $2::bigint[] or s.terms @> $3::bigint[])) and (select exists (select from jsonb_array_elements(d.facts -> $4::text) as f(fact) where (fact ? 'm' and exists (select from jsonb_array_elements(fact -> 'm' -> $5::text) as f(fact) where (fact ->> 't' = any($6::text[]) or fact -> 'w' @> any($7::jsonb[]))) and exists (select from jsonb_array_elements(fact -> 'm' -> $8::text) as f(fact) where (fact ? 'm' and exists (select from jsonb_array_elements(fact -> 'm' -> $9::text) as f(fact) where (fact ->> 't' = any($10::text[]) or fact -> 'w' @> any($11::jsonb[]))))))) from event_document d where d.seq = s.seq))
), page as (
  select * from matched order by updated_at desc, id limit $12::bigint offset $13::bigint
)
select counted.total, (select d.body from event_document d where d.seq = page.seq) as body, array[to_jsonb(updated_at) #>> '{}', (id)::text] as sort_values
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["4412710271290181086","1886889917514562929"]
-- $2 ["7801367150905528742"]
-- $3 ["6959438237440354136","-3820215497008171462"]
-- $4 "child.address"
-- $5 "country"
-- $6 ["far"]
-- $7 ["[\"far\"]"]
-- $8 "streetLevelDetails"
-- $9 "street"
-- $10 ["main street"]
-- $11 ["[\"main\",\"street\"]"]
-- $12 100
-- $13 0
