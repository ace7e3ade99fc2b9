with matched as materialized (
  select s.seq, s.id, s.updated_at
  from event_search s
  where ((s.terms && $1::bigint[] and (select exists (select from jsonb_array_elements(d.facts -> $2::text) as f(fact) where ((fact ->> 'x') collate "C" between $3 and $4 or (fact ->> 'd') collate "C" between $5 and $6 or (fact -> 'r' ->> 0 <= $7 collate "C" and fact -> 'r' ->> 1 > $8 collate "C"))) from event_document d where d.seq = s.seq)) and (s.terms && $9::bigint[] and (select exists (select from jsonb_array_elements(d.facts -> $10::text) as f(fact) where ((fact ->> 'x') collate "C" between $11 and $12 or (fact ->> 'd') collate "C" between $13 and $14 or (fact -> 'r' ->> 0 <= $15 collate "C" and fact -> 'r' ->> 1 > $16 collate "C"))) from event_document d where d.seq = s.seq)))
), page as (
  select * from matched order by updated_at desc, id limit $17::bigint offset $18::bigint
)
select counted.total, (select d.body from event_document d where d.seq = page.seq) as body, array[to_jsonb(updated_at) #>> '{}', (id)::text] as sort_values
from (select count(*) as total from matched) counted
left join page on true
order by updated_at desc, id
-- $1 ["-4350925762687633392","9174852235453956795","6974819386927511191","5463759996380190283","1466808287693788269","5046901671241360909","-1483017631421526655","-3654590803446606660","-3155988352613428377","-3453859084255252131","5631467481388942546","7196489179999369154","8347811390650191591","4599617585459280367","6436052608863872429","-4655663973859991936","4709248087005124860","2393240398535355822","6469940944026804186","-6939512463169791079","-735853953755631558","7809437471571244154","8672971597638854668","847265749452280829","-1049996842764192450","-4929893867519101566","-3106984824178730825","6785683210452705201","-8589124421447463224","7171276430218376239","-3102099595781641350","8002527729741596949","-4038175833957989476"]
-- $2 "child.dob"
-- $3 "2024-01-01"
-- $4 "2024-01-31"
-- $5 "2024-01-01"
-- $6 "2024-01-31"
-- $7 "2024-01-31"
-- $8 "2024-01-01"
-- $9 ["-9055264335815004370","-2168455843867341847","3290176169332346304","-5262054527224693030","5059414029022354469","3946171374925521771"]
-- $10 "mother.dob"
-- $11 "1990-01-15"
-- $12 "1990-04-20"
-- $13 "1990-01-15"
-- $14 "1990-04-20"
-- $15 "1990-04-20"
-- $16 "1990-01-15"
-- $17 100
-- $18 0
