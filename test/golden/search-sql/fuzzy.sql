with matched as materialized (
  select seq, id, updated_at, min(edits) as edits from (
    select s.seq, s.id, s.updated_at, $1::int as edits from event_search s where ((s.terms @> $2::bigint[] and s.type = $3::text) and (s.terms @> $4::bigint[] and s.terms @> $5::bigint[]))
    union all select s.seq, s.id, s.updated_at, $6::int as edits from event_search s where ((s.terms @> $2::bigint[] and s.type = $7::text) and (s.terms @> $8::bigint[] and s.terms @> $9::bigint[]))
  ) banded group by seq, id, updated_at
), page as (
  select * from matched order by edits, updated_at desc, id limit $10::bigint offset $11::bigint
)
select counted.total, (select not exists (select from term_doubt where hash = any($12::bigint[]))
    and not exists (select from unnest($13::bigint[], $14::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) as proven, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array((edits)::text, to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by edits, updated_at desc, id
-- $1 1
-- $2 ["-4971561649084980958"]
-- $3 "birth"
-- $4 ["-4345106794892869370"]
-- $5 ["-8259918096515119594"]
-- $6 2
-- $7 "birth"
-- $8 ["2593978819883971422"]
-- $9 ["-8259918096515119594"]
-- $10 100
-- $11 0
-- $12 ["-4345106794892869370","2593978819883971422","-8259918096515119594","4306258892657532421"]
-- $13 ["-4345106794892869370","2593978819883971422","-8259918096515119594"]
-- $14 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 10 child.name banda"]

-- in doubt
with matched as materialized (
  select s.seq, s.id, s.updated_at, (((case when (select not exists (select from term_doubt where hash = any($1::bigint[]))
    and not exists (select from unnest($2::bigint[], $3::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) then least((case when s.terms @> $4::bigint[] then $5::int when s.terms @> $6::bigint[] then $7::int end + case when s.terms @> $8::bigint[] then $9::int end)) else (select (select min((select case when own.words && $10::text[] then $11::int when own.words && $12::text[] then $13::int end + case when own.words && $14::text[] then $15::int end from (select (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) as words offset 0) as own)) from jsonb_path_query(nullif(split_part(split_part(d.body, $16::text, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact)) from event_document d where d.seq = s.seq) end))) as edits from event_search s where ((s.terms @> $17::bigint[] and s.type = $18::text) and ((s.terms && $19::bigint[] and s.terms @> $20::bigint[]) and ((select not exists (select from term_doubt where hash = any($21::bigint[]))
    and not exists (select from unnest($22::bigint[], $23::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(nullif(split_part(split_part(d.body, $24::text, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where (select (own.words && $25::text[] and own.words && $26::text[]) from (select (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) as words offset 0) as own)) from event_document d where d.seq = s.seq))))
), page as (
  select * from matched order by edits, updated_at desc, id limit $27::bigint offset $28::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array((edits)::text, to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by edits, updated_at desc, id
-- $1 ["-4345106794892869370","2593978819883971422","-8259918096515119594","4306258892657532421"]
-- $2 ["-4345106794892869370","2593978819883971422","-8259918096515119594"]
-- $3 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 10 child.name banda"]
-- $4 ["-4345106794892869370"]
-- $5 0
-- $6 ["2593978819883971422"]
-- $7 1
-- $8 ["-8259918096515119594"]
-- $9 1
-- $10 ["musonda"]
-- $11 0
-- $12 ["musonda","musunda"]
-- $13 1
-- $14 ["banda"]
-- $15 1
-- $16 "\n\"child.name\":"
-- $17 ["-4971561649084980958"]
-- $18 "birth"
-- $19 ["-4345106794892869370","2593978819883971422"]
-- $20 ["-8259918096515119594"]
-- $21 ["-4345106794892869370","2593978819883971422","-8259918096515119594","4306258892657532421"]
-- $22 ["-4345106794892869370","2593978819883971422","-8259918096515119594"]
-- $23 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 10 child.name banda"]
-- $24 "\n\"child.name\":"
-- $25 ["musonda","musunda"]
-- $26 ["banda"]
-- $27 100
-- $28 0
