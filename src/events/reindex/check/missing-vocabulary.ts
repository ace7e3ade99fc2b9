import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { KnownVocabulary } from '../../index/terms/known-vocabulary.js';
import { listedAmong, type WordAtPath } from '../../index/terms/numerous-words.js';
import type { Vocabulary } from '../../index/terms/vocabulary.js';
import { nameOfPath, type PathIds, storedPathIds } from '../../index/terms/write-vocabulary.js';
import type { NumberedRow } from '../../records/store/insert-rows.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';

type Table = 'fuzzy_word' | 'data_shape';

interface Entry {
  readonly table: Table;
  /** The path's id. */
  readonly number: string;
  readonly text: string;
  /** The event of a numerous word. */
  readonly seq: string | null;
}

/** For `looked (number, text)`: scalars, which use the index. */
const IS_MISSING: Readonly<Record<Table, Sql>> = {
  fuzzy_word: sql`(select true from fuzzy_word where path_id = looked.number::int and word = looked.text) is null`,
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
    for (const { seq, row } of rows) {
      for (const entry of entriesOf(seq, this.there.missing(row.vocabulary), pathIds)) entries.set(keyOf(entry), entry);
    }
    const isListed = await listedAmong(this.reader, [...entries.values()].flatMap(wordAtPath));
    const missing = new Set<string>();
    for (const [table, isMissing] of Object.entries(IS_MISSING)) {
      const looked = [...entries.values()].filter(
        (entry) => entry.table === table && !wordAtPath(entry).some(isListed),
      );
      for (const entry of await this.missingAmong(looked, isMissing)) missing.add(keyOf(entry));
    }
    return rows.flatMap(({ seq, row }) => {
      const lacking =
        missing.size === 0 ? [] : entriesOf(seq, row.vocabulary, pathIds).filter((entry) => missing.has(keyOf(entry)));
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

/** Empty unless it is a numerous word. */
const wordAtPath = ({ number, text, seq }: Entry): readonly WordAtPath[] =>
  seq === null ? [] : [{ pathId: Number(number), word: text, seq }];

function entriesOf(seq: string, { paths }: Vocabulary, pathIds: PathIds): readonly Entry[] {
  return [
    ...paths.flatMap((at): readonly Entry[] => {
      // No path has the id 0.
      const number = String(pathIds.get(nameOfPath(at)) ?? 0);
      return [
        ...[...at.words].map((text) => ({ table: 'fuzzy_word' as const, number, text, seq: null })),
        ...[...at.numerous].map((text) => ({ table: 'fuzzy_word' as const, number, text, seq })),
        ...[...at.aspects].map((text) => ({ table: 'data_shape' as const, number, text, seq: null })),
      ];
    }),
  ];
}

const keyOf = ({ table, number, text, seq }: Entry): string => `${table} ${number} ${seq ?? ''} ${text}`;
