with matched as materialized (
  select s.seq, s.id, s.updated_at, least(case when s.tracking_id = any($1::text[]) then 0 end, (case when (select not exists (select from term_doubt where hash = any($2::bigint[]))
    and not exists (select from unnest($3::bigint[], $4::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) then least((case when s.terms @> $5::bigint[] then $6::int when s.terms @> $7::bigint[] then $8::int end), (case when s.terms @> $9::bigint[] then $10::int end), (case when s.terms @> $11::bigint[] then $12::int end)) else (select (select min(case when (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) && $13::text[] then $14::int when (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) && $15::text[] then $16::int end) from (select d.facts #> '{}' as facts offset 0) as plain, unnest($17::text[]) as key, jsonb_path_query(plain.facts -> key, '$[*]') as f(fact)) from event_document d where d.seq = s.seq) end), ((case when (select not exists (select from term_doubt where hash = any($18::bigint[]))
    and not exists (select from unnest($19::bigint[], $20::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) then least((case when s.terms && $21::bigint[] then $22::int end)) else (select (select min(case when (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) && $23::text[] then $24::int end) from jsonb_path_query(d.facts -> $25::text, '$[*]') as f(fact)) from event_document d where d.seq = s.seq) end))) as edits
  from event_search s
  where (s.tracking_id = any($1::text[]) or (s.terms && $26::bigint[] and ((select not exists (select from term_doubt where hash = any($27::bigint[]))
    and not exists (select from unnest($28::bigint[], $29::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from (select d.facts #> '{}' as facts offset 0) as plain, unnest($30::text[]) as key, jsonb_path_query(plain.facts -> key, '$[*]') as f(fact) where (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) && $31::text[]) from event_document d where d.seq = s.seq))) or (s.terms && $32::bigint[] and ((select not exists (select from term_doubt where hash = any($33::bigint[]))
    and not exists (select from unnest($34::bigint[], $35::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text)) or (select exists (select from jsonb_path_query(d.facts -> $36::text, '$[*]') as f(fact) where (case jsonb_typeof(fact)
  when 'string' then regexp_split_to_array(lower((fact #>> '{}') collate "C"), '[^a-z0-9]+')
  when 'object' then coalesce(string_to_array(coalesce(fact ->> 'w', fact ->> 'q'), ' '),
    regexp_split_to_array(coalesce(fact ->> 't', fact ->> 'd', fact ->> 'u', fact ->> 'x') collate "C", '[^a-z0-9]+'))
  end) && $37::text[]) from event_document d where d.seq = s.seq))))
), page as (
  select * from matched order by edits, updated_at desc, id limit $38::bigint offset $39::bigint
)
select counted.total, (select d.body from event_document d where d.seq = page.seq) as body, array[(edits)::text, to_jsonb(updated_at) #>> '{}', (id)::text] as sort_values
from (select count(*) as total from matched) counted
left join page on true
order by edits, updated_at desc, id
-- $1 ["MUSOND"]
-- $2 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $3 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $4 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 11 mother.name muzonda","word 11 child.place musonda"]
-- $5 ["-4345106794892869370"]
-- $6 0
-- $7 ["2593978819883971422"]
-- $8 1
-- $9 ["3598565626064234646"]
-- $10 1
-- $11 ["-8782320603510308474"]
-- $12 0
-- $13 ["musonda"]
-- $14 0
-- $15 ["musunda","muzonda"]
-- $16 1
-- $17 ["child.name","mother.name","child.place"]
-- $18 ["7705650502453272488","-5386750517230976684","-32373508523057102","3637004840700562822","-4797415204024597080","1259894404961287084","1735717788606326398","-2289552195326553416","-3823322870621395430","8869041892734442490","6227514563304895564","4770066764806384312"]
-- $19 ["7705650502453272488","-5386750517230976684","-32373508523057102","3637004840700562822","-4797415204024597080","1259894404961287084","1735717788606326398","-2289552195326553416","-3823322870621395430","8869041892734442490","6227514563304895564","4770066764806384312"]
-- $20 ["month 9 child.dob 2024-01","month 9 child.dob 2024-02","month 9 child.dob 2024-03","month 9 child.dob 2024-04","month 9 child.dob 2024-05","month 9 child.dob 2024-06","month 9 child.dob 2024-07","month 9 child.dob 2024-08","month 9 child.dob 2024-09","month 9 child.dob 2024-10","month 9 child.dob 2024-11","month 9 child.dob 2024-12"]
-- $21 ["7705650502453272488","-5386750517230976684","-32373508523057102","3637004840700562822","-4797415204024597080","1259894404961287084","1735717788606326398","-2289552195326553416","-3823322870621395430","8869041892734442490","6227514563304895564","4770066764806384312"]
-- $22 1
-- $23 ["2024"]
-- $24 1
-- $25 "child.dob"
-- $26 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $27 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $28 ["-4345106794892869370","2593978819883971422","3598565626064234646","-8782320603510308474"]
-- $29 ["nameWord 10 child.name musonda","nameWord 10 child.name musunda","nameWord 11 mother.name muzonda","word 11 child.place musonda"]
-- $30 ["child.name","mother.name","child.place"]
-- $31 ["musonda","musunda","muzonda"]
-- $32 ["7705650502453272488","-5386750517230976684","-32373508523057102","3637004840700562822","-4797415204024597080","1259894404961287084","1735717788606326398","-2289552195326553416","-3823322870621395430","8869041892734442490","6227514563304895564","4770066764806384312"]
-- $33 ["7705650502453272488","-5386750517230976684","-32373508523057102","3637004840700562822","-4797415204024597080","1259894404961287084","1735717788606326398","-2289552195326553416","-3823322870621395430","8869041892734442490","6227514563304895564","4770066764806384312"]
-- $34 ["7705650502453272488","-5386750517230976684","-32373508523057102","3637004840700562822","-4797415204024597080","1259894404961287084","1735717788606326398","-2289552195326553416","-3823322870621395430","8869041892734442490","6227514563304895564","4770066764806384312"]
-- $35 ["month 9 child.dob 2024-01","month 9 child.dob 2024-02","month 9 child.dob 2024-03","month 9 child.dob 2024-04","month 9 child.dob 2024-05","month 9 child.dob 2024-06","month 9 child.dob 2024-07","month 9 child.dob 2024-08","month 9 child.dob 2024-09","month 9 child.dob 2024-10","month 9 child.dob 2024-11","month 9 child.dob 2024-12"]
-- $36 "child.dob"
-- $37 ["2024"]
-- $38 100
-- $39 0
