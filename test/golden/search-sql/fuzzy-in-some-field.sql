with matched as materialized (
  select seq, id, updated_at, min(edits) as edits from (
    select s.seq, s.id, s.updated_at, $1::int as edits from event_search s where (s.terms && $2::bigint[] or s.tracking_id = $3::text)
    union all select s.seq, s.id, s.updated_at, $4::int as edits from event_search s where s.terms && $5::bigint[]
  ) banded group by seq, id, updated_at
), page as (
  select * from matched order by edits, updated_at desc, id limit $6::bigint offset $7::bigint
)
select counted.total, (select not exists (select from term_doubt where hash = any($8::bigint[]))
    and not exists (select from unnest($9::bigint[], $10::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) as proven, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array((edits)::text, to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by edits, updated_at desc, id
-- $1 0
-- $2 ["-4345106794892869370","-8782320603510308474"]
-- $3 "MUSOND"
-- $4 1
-- $5 ["2593978819883971422","3598565626064234646","7705650502453272488","-5386750517230976684","-32373508523057102","3637004840700562822","-4797415204024597080","1259894404961287084","1735717788606326398","-2289552195326553416","-3823322870621395430","8869041892734442490","6227514563304895564","4770066764806384312"]
-- $6 100
-- $7 0
-- $8 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474","7705650502453272488","-5386750517230976684","-32373508523057102","3637004840700562822","-4797415204024597080","1259894404961287084","1735717788606326398","-2289552195326553416","-3823322870621395430","8869041892734442490","6227514563304895564","4770066764806384312"]
-- $9 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474","7705650502453272488","-5386750517230976684","-32373508523057102","3637004840700562822","-4797415204024597080","1259894404961287084","1735717788606326398","-2289552195326553416","-3823322870621395430","8869041892734442490","6227514563304895564","4770066764806384312"]
-- $10 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 11 mother.name muzonda","word 11 child.place musonda","month 9 child.dob 2024-01","month 9 child.dob 2024-02","month 9 child.dob 2024-03","month 9 child.dob 2024-04","month 9 child.dob 2024-05","month 9 child.dob 2024-06","month 9 child.dob 2024-07","month 9 child.dob 2024-08","month 9 child.dob 2024-09","month 9 child.dob 2024-10","month 9 child.dob 2024-11","month 9 child.dob 2024-12"]

-- in doubt
with matched as materialized (
  select s.seq, s.id, s.updated_at, least(case when s.tracking_id = $1::text then 0 end, (case when (select not exists (select from term_doubt where hash = any($2::bigint[]))
    and not exists (select from unnest($3::bigint[], $4::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) then case when s.terms && $5::bigint[] then $6::int when s.terms && $7::bigint[] then $8::int end else (select (select min((select case when own.words && $9::text[] then $10::int when own.words && $11::text[] then $12::int end from (select (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) as words offset 0) as own)) from (select d.body || '' as body offset 0) as plain, unnest($13::text[]) as line, jsonb_path_query(nullif(split_part(split_part(plain.body, line, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact)) from event_document d where d.seq = s.seq) end), ((case when (select not exists (select from term_doubt where hash = any($14::bigint[]))
    and not exists (select from unnest($15::bigint[], $16::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) then case when s.terms && $17::bigint[] then $18::int end else (select (select min((select case when own.words && $19::text[] then $20::int end from (select (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) as words offset 0) as own)) from jsonb_path_query(nullif(split_part(split_part(d.body, $21::text, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact)) from event_document d where d.seq = s.seq) end))) as edits from event_search s where (s.tracking_id = $22::text or (s.terms && $23::bigint[] and ((select not exists (select from term_doubt where hash = any($24::bigint[]))
    and not exists (select from unnest($25::bigint[], $26::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from (select d.body || '' as body offset 0) as plain, unnest($27::text[]) as line, jsonb_path_query(nullif(split_part(split_part(plain.body, line, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) && $28::text[]) from event_document d where d.seq = s.seq))) or (s.terms && $29::bigint[] and ((select not exists (select from term_doubt where hash = any($30::bigint[]))
    and not exists (select from unnest($31::bigint[], $32::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(nullif(split_part(split_part(d.body, $33::text, 2), chr(10), 1), '')::jsonb, '$[*]') as f(fact) where (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) && $34::text[]) from event_document d where d.seq = s.seq))))
), page as (
  select * from matched order by edits, updated_at desc, id limit $35::bigint offset $36::bigint
)
select counted.total, (select split_part(d.body, chr(10), 1) from event_document d where d.seq = page.seq) as body, json_build_array((edits)::text, to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by edits, updated_at desc, id
-- $1 "MUSOND"
-- $2 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $3 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $4 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 11 mother.name muzonda","word 11 child.place musonda"]
-- $5 ["-4345106794892869370","-8782320603510308474"]
-- $6 0
-- $7 ["2593978819883971422","3598565626064234646"]
-- $8 1
-- $9 ["musonda"]
-- $10 0
-- $11 ["musonda","musunda","muzonda"]
-- $12 1
-- $13 ["\n\"child.name\":","\n\"mother.name\":","\n\"child.place\":"]
-- $14 ["7705650502453272488","-5386750517230976684","-32373508523057102","3637004840700562822","-4797415204024597080","1259894404961287084","1735717788606326398","-2289552195326553416","-3823322870621395430","8869041892734442490","6227514563304895564","4770066764806384312"]
-- $15 ["7705650502453272488","-5386750517230976684","-32373508523057102","3637004840700562822","-4797415204024597080","1259894404961287084","1735717788606326398","-2289552195326553416","-3823322870621395430","8869041892734442490","6227514563304895564","4770066764806384312"]
-- $16 ["month 9 child.dob 2024-01","month 9 child.dob 2024-02","month 9 child.dob 2024-03","month 9 child.dob 2024-04","month 9 child.dob 2024-05","month 9 child.dob 2024-06","month 9 child.dob 2024-07","month 9 child.dob 2024-08","month 9 child.dob 2024-09","month 9 child.dob 2024-10","month 9 child.dob 2024-11","month 9 child.dob 2024-12"]
-- $17 ["7705650502453272488","-5386750517230976684","-32373508523057102","3637004840700562822","-4797415204024597080","1259894404961287084","1735717788606326398","-2289552195326553416","-3823322870621395430","8869041892734442490","6227514563304895564","4770066764806384312"]
-- $18 1
-- $19 ["2024"]
-- $20 1
-- $21 "\n\"child.dob\":"
-- $22 "MUSOND"
-- $23 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $24 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $25 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $26 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 11 mother.name muzonda","word 11 child.place musonda"]
-- $27 ["\n\"child.name\":","\n\"mother.name\":","\n\"child.place\":"]
-- $28 ["musonda","musunda","muzonda"]
-- $29 ["7705650502453272488","-5386750517230976684","-32373508523057102","3637004840700562822","-4797415204024597080","1259894404961287084","1735717788606326398","-2289552195326553416","-3823322870621395430","8869041892734442490","6227514563304895564","4770066764806384312"]
-- $30 ["7705650502453272488","-5386750517230976684","-32373508523057102","3637004840700562822","-4797415204024597080","1259894404961287084","1735717788606326398","-2289552195326553416","-3823322870621395430","8869041892734442490","6227514563304895564","4770066764806384312"]
-- $31 ["7705650502453272488","-5386750517230976684","-32373508523057102","3637004840700562822","-4797415204024597080","1259894404961287084","1735717788606326398","-2289552195326553416","-3823322870621395430","8869041892734442490","6227514563304895564","4770066764806384312"]
-- $32 ["month 9 child.dob 2024-01","month 9 child.dob 2024-02","month 9 child.dob 2024-03","month 9 child.dob 2024-04","month 9 child.dob 2024-05","month 9 child.dob 2024-06","month 9 child.dob 2024-07","month 9 child.dob 2024-08","month 9 child.dob 2024-09","month 9 child.dob 2024-10","month 9 child.dob 2024-11","month 9 child.dob 2024-12"]
-- $33 "\n\"child.dob\":"
-- $34 ["2024"]
-- $35 100
-- $36 0
