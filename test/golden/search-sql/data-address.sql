with matched as materialized (
  select s.seq, s.id, s.updated_at
  from event_search s
  where ((s.terms @> $1::bigint[] or s.terms @> $2::bigint[] or (s.terms @> $3::bigint[] and s.terms && $4::bigint[])) and (select exists (select from jsonb_array_elements(d.facts -> $5::text) as f(fact) where (fact ->> 't' = any($6::text[]) or fact -> 'w' @> any($7::jsonb[]) or (fact ->> 'a' = any($8::text[]) and fact @> any($9::jsonb[])))) from event_document d where d.seq = s.seq))
), page as (
  select * from matched order by updated_at desc, id limit $10::bigint offset $11::bigint
)
select counted.total, (select d.body from event_document d where d.seq = page.seq) as body, array[to_jsonb(updated_at) #>> '{}', (id)::text] as sort_values
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["-6210749957716842367"]
-- $2 ["1450789453998306884","414509276214357376","-8530454790182555242","2450712050225205997","2947931063117411076","6646014103565921970","1184692214452434056","-388346911801904031","8421150346252769825","5601430134380636678","1702231954058303540"]
-- $3 ["8189129672691634143"]
-- $4 ["8021988981834881675","5574554704254820532","-294835282078503895","6184205360859917731"]
-- $5 "child.address"
-- $6 ["{\"country\":\"far\",\"administrativearea\":\"000000b1-0000-4000-8000-0000000000b1\",\"streetleveldetails\":{\"street\":\"main street\"}}"]
-- $7 ["[\"country\",\"far\",\"administrativearea\",\"000000b1\",\"0000\",\"4000\",\"8000\",\"0000000000b1\",\"streetleveldetails\",\"street\",\"main\"]"]
-- $8 ["000000b1-0000-4000-8000-0000000000b1","000000b3-0000-4000-8000-0000000000b3","000000b4-0000-4000-8000-0000000000b4","000000b5-0000-4000-8000-0000000000b5"]
-- $9 ["{\"c\":\"far\",\"m\":{\"streetLevelDetails\":[{\"m\":{\"street\":[{\"t\":\"main street\"}]}}]}}"]
-- $10 100
-- $11 0
