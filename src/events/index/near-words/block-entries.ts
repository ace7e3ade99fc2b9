import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { NUMBER_OR_EMAIL } from '../terms/is-number-or-email.js';
import { CAPITALS, FIRST_CAPITAL, MOST_NAME_LETTERS } from './name-letters.js';

/** Transactions `from ≤ id < before`. */
export interface Range {
  readonly from: string;
  readonly before: string;
}

/** Rows `path_id`, `word`, unordered, with duplicates. */
export const numbersOf = ({ from, before }: Range): Sql => sql`
  select path_id, word from fuzzy_word
   where written_by >= ${from}::xid8 and written_by < ${before}::xid8 and word ~ ${NUMBER_OR_EMAIL.source}::text
  union all
  select path_id, word from fuzzy_word_list, unnest(string_to_array(words, ' ')) as word
   where written_by >= ${from}::xid8 and written_by < ${before}::xid8`;

/** Rows `path_id`, `direction`, `entry`. */
export const entriesOfNumbers = (range: Range): Sql => sql`
  select path_id, direction, entry
    from (${numbersOf(range)}) as number cross join lateral (values
           ('f'::"char", word || ' ' || path_id),
           ('r'::"char", reverse(word) || ' ' || path_id)) as both_ways (direction, entry)`;

/** Sorted as in `name-letters.ts`; names with other letters follow. */
export const entriesOfNames = ({ from, before }: Range): Sql => sql`
  select path_id, direction,
         case when is_plain then letters || ' ' || path_id
              else left(letters, ${MOST_NAME_LETTERS}::int) || ' ' || path_id || ' ' || word end as entry
    from (select path_id, word, word ~ '^[0-9a-z]*$' as is_plain,
                 case when word ~ '^[0-9a-z]*$' then word else (
                   select string_agg(
                            case when letter ~ '[0-9a-z]' then letter
                                 else chr(${FIRST_CAPITAL}::int + ascii(letter) % ${CAPITALS}::int) end, '' order by at)
                     from string_to_table(word, null) with ordinality as each (letter, at)) end as sorted_by
            from fuzzy_word
           where written_by >= ${from}::xid8 and written_by < ${before}::xid8 and word !~ ${NUMBER_OR_EMAIL.source}::text
          -- Letters are made once, and not for each way.
          offset 0) as name
         cross join lateral (values
           ('F'::"char", sorted_by),
           ('R'::"char", reverse(sorted_by))) as both_ways (direction, letters)`;
