select counted.total, null as body, null as sort_values, (select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end) as is_ours
from (select count(*) as total from (select s.seq, s.id, s.updated_at from event_search s where (s.status = any($1::text[]) and s.type = $2::text)) matched) counted
-- $1 ["DECLARED","REGISTERED"]
-- $2 "birth"
