with matched as materialized (
  select s.seq, s.id, s.updated_at from event_search s where ((s.terms @> $1::bigint[] and s.type = $2::text) and (((s.terms @> $1::bigint[] and s.type = $3::text) and (not s.flags && $4::text[]) is true) or (s.status = $5::text and ((s.registered_created_by = $6::text and coalesce(s.registered_created_by_user_type, $7) = $8::text)) is true)))
), page as (
  select * from matched order by updated_at desc, id limit $9::bigint offset $10::bigint
)
select counted.total, (select (select case when not unread and not listed then split_part(d.body, chr(10), 1) else (
      select '{' || string_agg(to_json(key)::text || ':' || case
        when key = 'potentialDuplicates' and listed then (
          select '[' || coalesce(string_agg(entry::text, ',' order by place), '') || ']'
          from json_array_elements(value) with ordinality as duplicate (entry, place)
          where exists (select from event_search s where s.id = (entry ->> 'id')::uuid and ((s.type = $11::text and not s.flags && $4::text[]) or (s.status = $12::text and (s.registered_created_by = $13::text and coalesce(s.registered_created_by_user_type, $14) = $15::text)))))
        else value::text end, ',' order by at) || '}'
      from json_each(split_part(d.body, chr(10), 1)::json) with ordinality as member (key, value, at)) end
    from (select false as unread, substr(d.body, strpos(d.body, $16::text) + $17::int, 2) <> '[]' as listed offset 0) as withheld) from event_search s join event_document d using (seq) where d.seq = page.seq) as body, json_build_array(to_jsonb(updated_at) #>> '{}', (id)::text)::text as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["-4971561649084980958"]
-- $2 "birth"
-- $3 "birth"
-- $4 ["sealed"]
-- $5 "REGISTERED"
-- $6 "caller"
-- $7 "user"
-- $8 "user"
-- $9 100
-- $10 0
-- $11 "birth"
-- $12 "REGISTERED"
-- $13 "caller"
-- $14 "user"
-- $15 "user"
-- $16 "\"potentialDuplicates\":"
-- $17 22
