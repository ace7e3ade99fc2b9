import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import { sql } from '../../src/kernel/sql/sql.js';

const TABLES = {
  events: sql`select id, to_jsonb(event) - 'seq' as row from event order by id`,
  history: sql`
    select id, to_jsonb(h) - 'event_seq' as row from event_history h join event on seq = event_seq order by id, position`,
  searched: sql`select id, to_jsonb(event_search) - 'seq' as row from event_search order by id`,
  documents: sql`select id, body from event_document join event using (seq) order by id`,
  marked: sql`select id, terms from bitmap_dirty join event using (seq) order by id, terms`,
  terms: sql`select hash, text from term order by hash`,
  doubts: sql`select hash, moved_by is null as always from term_doubt order by hash`,
  shapes: sql`
    select path, is_field, aspect from data_shape join fuzzy_path on id = path_id order by path, is_field, aspect collate "C"`,
  // A word may be in a list or have a row of its own: that depends on what was written with it.
  words: sql`
    select path, is_field, word
      from (select path_id, word from fuzzy_word
             union
            select path_id, unnest(string_to_array(words, ' ')) from fuzzy_word_list) w
           join fuzzy_path on id = path_id
     order by path, is_field, word collate "C"`,
};

/** Everything that is stored of events, but for the numbers that the database has given them. */
export async function everythingStored(database: Queryable): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const found: Record<string, readonly unknown[]> = {};
  for (const [name, statement] of Object.entries(TABLES)) found[name] = await database.query(statement);
  return found;
}
