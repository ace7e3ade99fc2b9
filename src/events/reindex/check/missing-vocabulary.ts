import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { KnownVocabulary } from '../../index/terms/known-vocabulary.js';
import { keysOfStored } from '../../index/near-words/deletion-keys.js';
import type { Vocabulary } from '../../index/terms/vocabulary.js';
import { nameOfPath, type PathIds, storedPathIds } from '../../index/terms/write-vocabulary.js';
import type { NumberedRow } from '../../records/store/insert-rows.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';

type Table = 'fuzzy_word' | 'fuzzy_key' | 'data_shape';

interface Entry {
  readonly table: Table;
  /** The path's id, or the key. */
  readonly number: string;
  readonly text: string;
}

/** For `looked (number, text)`: scalars, which use the index. */
const IS_MISSING: Readonly<Record<Table, Sql>> = {
  fuzzy_word: sql`(select true from fuzzy_word where path_id = looked.number::int and word = looked.text) is null`,
  fuzzy_key: sql`(select true from fuzzy_key where key = looked.number::int and word = looked.text) is null`,
  data_shape: sql`(select true from data_shape where path_id = looked.number::int and aspect = looked.text) is null`,
};

export class MissingVocabulary {
  private readonly there = new KnownVocabulary();

  /** All reads require one snapshot. */
  constructor(private readonly reader: Queryable) {}

  /** For each row, the tables with missing vocabulary. */
  async among(rows: readonly NumberedRow[]): Promise<readonly { readonly seq: string; readonly table: Table }[]> {
    const entries = new Map<string, Entry>();
    const pathIds = await storedPathIds(
      this.reader,
      rows.map(({ row }) => row.vocabulary),
    );
    for (const { row } of rows) {
      for (const entry of entriesOf(this.there.missing(row.vocabulary), pathIds)) entries.set(keyOf(entry), entry);
    }
    const missing = new Set<string>();
    for (const [table, isMissing] of Object.entries(IS_MISSING)) {
      const looked = [...entries.values()].filter((entry) => entry.table === table);
      for (const entry of await this.missingAmong(looked, isMissing)) missing.add(keyOf(entry));
    }
    return rows.flatMap(({ seq, row }) => {
      const lacking =
        missing.size === 0 ? [] : entriesOf(row.vocabulary, pathIds).filter((entry) => missing.has(keyOf(entry)));
      if (lacking.length === 0) this.there.add(row.vocabulary);
      return [...new Set(lacking.map(({ table }) => table))].map((table) => ({ seq, table }));
    });
  }

  private async missingAmong(looked: readonly Entry[], isMissing: Sql): Promise<readonly Entry[]> {
    if (looked.length === 0) return [];
    const rows = await this.reader.query<{ at: number }>(sql`
      select at::int
        from unnest(
               ${looked.map(({ number }) => number)}::bigint[],
               ${looked.map(({ text }) => text)}::text[]) with ordinality as looked (number, text, at)
       where ${isMissing}`);
    return rows.flatMap(({ at }) => looked[at - 1] ?? []);
  }
}

function entriesOf({ paths }: Vocabulary, pathIds: PathIds): readonly Entry[] {
  return [
    ...paths.flatMap((at): readonly Entry[] => {
      // No path has the id 0.
      const number = String(pathIds.get(nameOfPath(at)) ?? 0);
      const words = [...at.words];
      return [
        ...words.map((text) => ({ table: 'fuzzy_word' as const, number, text })),
        ...words.flatMap((text) =>
          keysOfStored(text).map((key) => ({ table: 'fuzzy_key' as const, number: String(key), text })),
        ),
        ...[...at.aspects].map((text) => ({ table: 'data_shape' as const, number, text })),
      ];
    }),
  ];
}

const keyOf = ({ table, number, text }: Entry): string => `${table} ${number} ${text}`;
