with matched as materialized (
  select s.seq, s.id, s.updated_at
  from event_search s
  where (s.terms && $1::bigint[] and ((select not exists (select from term_doubt where hash = any($2::bigint[]))
    and not exists (select from unnest($3::bigint[], $4::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(d.facts -> $5::text, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'number' then null
    when 'object' then coalesce(fact ->> 't', fact ->> 'f', fact ->> 'd', fact ->> 'u', fact ->> 'x')
    else lower((fact #>> '{}') collate "C") end) = any($6::text[]) or (case jsonb_typeof(fact) when 'number' then fact #>> '{}' else fact ->> 'n' end)::numeric = any($7::numeric[]) or string_to_array(fact ->> 'w', ' ') @> $8::text[])) from event_document d where d.seq = s.seq)))
), page as (
  select * from matched order by updated_at desc, id limit $9::bigint offset $10::bigint
)
select counted.total, (select d.body from event_document d where d.seq = page.seq) as body, array[to_jsonb(updated_at) #>> '{}', (id)::text] as sort_values
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 []
-- $2 []
-- $3 []
-- $4 []
-- $5 "mother.nid"
-- $6 ["12345"]
-- $7 [12345]
-- $8 ["12345"]
-- $9 100
-- $10 0
