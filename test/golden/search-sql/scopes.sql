with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where ((s.terms @> $1::bigint[] and s.type = $2::text) and (((s.terms @> $3::bigint[] and s.type = $4::text) and (not s.flags && $5::text[]) is true) or (s.status = $6::text and ((s.registered_created_by = $7::text and coalesce(s.registered_created_by_user_type, $8) = $9::text)) is true)))
), page as (
  select * from matched order by updated_at desc, id limit $10::bigint offset $11::bigint
)
select counted.total, (select (select case when not unread and not listed then split_part(d.body, chr(10), 1) else (
      select '{' || string_agg(to_json(key)::text || ':' || case
        when key = 'potentialDuplicates' and listed then (
          select '[' || coalesce(string_agg(entry::text, ',' order by place), '') || ']'
          from json_array_elements(value) with ordinality as duplicate (entry, place)
          where exists (select from event_search s where s.id = (entry ->> 'id')::uuid and ((s.type = $12::text and not s.flags && $5::text[]) or (s.status = $13::text and (s.registered_created_by = $14::text and coalesce(s.registered_created_by_user_type, $15) = $16::text)))))
        else value::text end, ',' order by at) || '}'
      from json_each(split_part(d.body, chr(10), 1)::json) with ordinality as member (key, value, at)) end
    from (select false as unread, substr(d.body, strpos(d.body, $17::text) + $18::int, 2) <> '[]' as listed offset 0) as withheld) from event_search s join event_document d using (seq) where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["6712016872837097692"]
-- $2 "birth"
-- $3 ["6712016872837097692"]
-- $4 "birth"
-- $5 ["sealed"]
-- $6 "REGISTERED"
-- $7 "caller"
-- $8 "user"
-- $9 "user"
-- $10 100
-- $11 0
-- $12 "birth"
-- $13 "REGISTERED"
-- $14 "caller"
-- $15 "user"
-- $16 "user"
-- $17 "\"potentialDuplicates\":"
-- $18 22
