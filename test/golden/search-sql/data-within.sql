with matched as materialized (
  select s.seq, s.id, s.updated_at
  from event_search s
  where (s.terms && $1::bigint[] and ((select not exists (select from term_doubt where hash = any($2::bigint[]))
    and not exists (select from unnest($3::bigint[], $4::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(d.facts -> $5::text, '$[*]') as f(fact) where (case when fact ->> 'c' is null then fact ->> 'u' else coalesce(fact ->> 'a', case fact -> 'm' ->> 'addressType' when 'DOMESTIC' then fact -> 'm' -> 'administrativeArea' ->> 'u' end) end) = any($6::text[])) from event_document d where d.seq = s.seq)))
), page as (
  select * from matched order by updated_at desc, id limit $7::bigint offset $8::bigint
)
select counted.total, (select d.body from event_document d where d.seq = page.seq) as body, array[to_jsonb(updated_at) #>> '{}', (id)::text] as sort_values
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 []
-- $2 []
-- $3 []
-- $4 []
-- $5 "child.birthLocationId"
-- $6 ["000000b4-0000-4000-8000-0000000000b4"]
-- $7 100
-- $8 0
