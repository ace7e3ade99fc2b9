with matched as materialized (
  select s.seq, s.id, s.updated_at
  from event_search s
  where (s.terms && $1::bigint[] and ((select not exists (select from term_doubt where hash = any($2::bigint[]))
    and not exists (select from unnest($3::bigint[], $4::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(d.facts -> $5::text, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($6::text[]) or string_to_array(fact ->> 'w', ' ') @> $7::text[] or (fact ->> 'c' = $8 and coalesce(fact ->> 'a', case fact -> 'm' ->> 'addressType' when 'DOMESTIC' then fact -> 'm' -> 'administrativeArea' ->> 'u' end) = any($9::text[]) and (case when jsonb_typeof(fact -> 'm' -> 'streetLevelDetails' -> 'm' -> $10::text) = 'string' or (jsonb_typeof(fact -> 'm' -> 'streetLevelDetails' -> 'm' -> $11::text) = 'object' and fact -> 'm' -> 'streetLevelDetails' -> 'm' -> $12::text -> 'm' is null) then (case jsonb_typeof(fact -> 'm' -> 'streetLevelDetails' -> 'm' -> $13::text) when 'number' then null
    when 'object' then coalesce(fact -> 'm' -> 'streetLevelDetails' -> 'm' -> $14::text ->> 't', fact -> 'm' -> 'streetLevelDetails' -> 'm' -> $15::text ->> 'f', fact -> 'm' -> 'streetLevelDetails' -> 'm' -> $16::text ->> 'd', fact -> 'm' -> 'streetLevelDetails' -> 'm' -> $17::text ->> 'u', fact -> 'm' -> 'streetLevelDetails' -> 'm' -> $18::text ->> 'x')
    else lower((fact -> 'm' -> 'streetLevelDetails' -> 'm' -> $19::text #>> '{}') collate "C") end) end) = $20))) from event_document d where d.seq = s.seq)))
), page as (
  select * from matched order by updated_at desc, id limit $21::bigint offset $22::bigint
)
select counted.total, (select d.body from event_document d where d.seq = page.seq) as body, array[to_jsonb(updated_at) #>> '{}', (id)::text] as sort_values
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 []
-- $2 []
-- $3 []
-- $4 []
-- $5 "child.address"
-- $6 ["{\"country\":\"far\",\"administrativearea\":\"000000b1-0000-4000-8000-0000000000b1\",\"streetleveldetails\":{\"street\":\"main street\"}}"]
-- $7 ["country","far","administrativearea","000000b1","0000","4000","8000","0000000000b1","streetleveldetails","street","main"]
-- $8 "far"
-- $9 ["000000b1-0000-4000-8000-0000000000b1","000000b3-0000-4000-8000-0000000000b3","000000b4-0000-4000-8000-0000000000b4","000000b5-0000-4000-8000-0000000000b5"]
-- $10 "street"
-- $11 "street"
-- $12 "street"
-- $13 "street"
-- $14 "street"
-- $15 "street"
-- $16 "street"
-- $17 "street"
-- $18 "street"
-- $19 "street"
-- $20 "main street"
-- $21 100
-- $22 0
