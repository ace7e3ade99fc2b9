with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where (s.terms @> $1::bigint[] and s.terms && $2::bigint[])
), page as (
  select * from matched order by updated_at desc, id limit $3::bigint offset $4::bigint
)
select counted.total, (select not exists (select from term_doubt where hash = any($5::bigint[]))
    and not exists (select from unnest($6::bigint[], $7::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) as proven, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["7705650502453272488"]
-- $2 []
-- $3 100
-- $4 0
-- $5 ["7705650502453272488"]
-- $6 ["7705650502453272488"]
-- $7 ["month 9 child.dob 2024-01"]

-- in doubt
with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where ((s.terms @> $1::bigint[] and ((select not exists (select from term_doubt where hash = any($2::bigint[]))
    and not exists (select from unnest($3::bigint[], $4::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(nullif(split_part(split_part(d.body, $5::text, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'string' then fact #>> '{}' else coalesce(fact ->> 'x', fact ->> 'u') end) collate "C" between $6 and $7 or (fact ->> 'd') collate "C" between $8 and $9 or (fact -> 'r' ->> 0 <= $10 collate "C" and fact -> 'r' ->> 1 > $11 collate "C"))) from event_document d where d.seq = s.seq))) and (s.terms && $12::bigint[] and ((select not exists (select from term_doubt where hash = any($13::bigint[]))
    and not exists (select from unnest($14::bigint[], $15::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(nullif(split_part(split_part(d.body, $16::text, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where ((case jsonb_typeof(fact) when 'string' then fact #>> '{}' else coalesce(fact ->> 'x', fact ->> 'u') end) collate "C" between $17 and $18 or (fact ->> 'd') collate "C" between $19 and $20 or (fact -> 'r' ->> 0 <= $21 collate "C" and fact -> 'r' ->> 1 > $22 collate "C"))) from event_document d where d.seq = s.seq))))
), page as (
  select * from matched order by updated_at desc, id limit $23::bigint offset $24::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["7705650502453272488"]
-- $2 ["7705650502453272488"]
-- $3 ["7705650502453272488"]
-- $4 ["month 9 child.dob 2024-01"]
-- $5 "\n\"child.dob\":"
-- $6 "2024-01-01"
-- $7 "2024-01-31"
-- $8 "2024-01-01"
-- $9 "2024-01-31"
-- $10 "2024-01-31"
-- $11 "2024-01-01"
-- $12 []
-- $13 []
-- $14 []
-- $15 []
-- $16 "\n\"mother.dob\":"
-- $17 "1990-01-15"
-- $18 "1990-04-20"
-- $19 "1990-01-15"
-- $20 "1990-04-20"
-- $21 "1990-04-20"
-- $22 "1990-01-15"
-- $23 100
-- $24 0
