import type { Queryable } from '../../../database/queryable.js';
import { sql } from '../../../sql/sql.js';
import type { NumberedRow } from '../../records/insert-rows.js';
import { KnownWords } from '../../search/fuzzy/known-words.js';
import type { WordPath } from '../../search/fuzzy/fuzzy-dictionary.js';

interface Looked {
  readonly key: string;
  readonly pathId: number;
  readonly word: string;
}

/** Looks for the words of records where the dictionaries of all processes are read from. */
export class MissingWords {
  private readonly there = new KnownWords();
  private pathIds: ReadonlyMap<string, number> | undefined;

  /** Everything is to be read from one snapshot. */
  constructor(private readonly reader: Queryable) {}

  /** The `seq` of the rows that have a word that fuzzy conditions would not find. */
  async among(rows: readonly NumberedRow[]): Promise<readonly string[]> {
    const missing = await this.missingOf(rows);
    const [lacking, whole] = [[] as string[], [] as NumberedRow[]];
    for (const each of rows) {
      const lacks = each.row.words.some((at) => [...at.words].some((word) => missing.has(wordKey(at, word))));
      if (lacks) lacking.push(each.seq);
      else whole.push(each);
    }
    for (const { row } of whole) this.there.add(row.words);
    return lacking;
  }

  private async missingOf(rows: readonly NumberedRow[]): Promise<ReadonlySet<string>> {
    const paths = await this.paths();
    const looked = new Map<string, Looked>();
    for (const at of rows.flatMap(({ row }) => row.words)) {
      // No path has the id 0.
      const pathId = paths.get(pathKey(at)) ?? 0;
      for (const word of this.there.missing(at))
        looked.set(wordKey(at, word), { key: wordKey(at, word), pathId, word });
    }
    const all = [...looked.values()];
    // As a scalar, so that each word is looked up in the index whatever the planner thinks of their number.
    const missing = await this.reader.query<{ at: number }>(sql`
      select at::int
        from unnest(${all.map(({ pathId }) => pathId)}::int[], ${all.map(({ word }) => word)}::text[])
               with ordinality as looked (path_id, word, at)
       where (select true from fuzzy_word where path_id = looked.path_id and word = looked.word) is null`);
    return new Set(missing.flatMap(({ at }) => all[at - 1]?.key ?? []));
  }

  private async paths(): Promise<ReadonlyMap<string, number>> {
    this.pathIds ??= new Map(
      (
        await this.reader.query<WordPath & { id: number }>(sql`select id, path, is_field as "isField" from fuzzy_path`)
      ).map((path) => [pathKey(path), path.id]),
    );
    return this.pathIds;
  }
}

const pathKey = ({ path, isField }: WordPath): string => `${isField} ${path}`;

const wordKey = (path: WordPath, word: string): string => `${word} ${pathKey(path)}`;
