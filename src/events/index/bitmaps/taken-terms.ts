import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';
import { sentInBinary, sql } from '../../../kernel/sql/sql.js';
import { subjectOfTerm } from '../areas/subject-of-term.js';
import { listed, type TermRow } from '../terms/write-terms.js';

/**
 * A declaration's text collides with a term of metadata, of an area, or with a bitmap, and would slow its searches.
 * Deliberate: by chance one in 10^6 among 10^8 texts.
 */
export class TermTaken extends ServiceError {
  constructor(text: string, taken: string) {
    super('BAD_REQUEST', 'A value of the declaration cannot be told from another by its hash; write it differently', {
      issues: [{ message: `declaration: "${text}" has the hash of "${taken}"` }],
    });
  }
}

interface Clash {
  readonly text: string;
  readonly taken: string;
  readonly isFrequent: boolean;
}

/** Each with its message. Hashes already in doubt stay so. */
export async function takenTerms(
  transaction: Queryable,
  clashing: readonly TermRow[],
): Promise<ReadonlyMap<string, TermTaken>> {
  const clashes = await transaction.query<Clash>(
    sentInBinary(sql`
      select new.text, term.text as taken,
             exists (select from bitmap where bitmap.term = hash) or
             exists (select from bitmap_begun where bitmap_begun.term = hash) as "isFrequent"
        from ${listed(clashing)} join term using (hash)
       where term.text <> new.text
         and not exists (select from term_doubt d where d.hash = term.hash and d.moved_by is null)
       order by hash`),
  );
  const isOfDeclaration = (text: string): boolean => subjectOfTerm(text) === 'declaration';
  return new Map(
    clashes
      .filter(({ text, taken, isFrequent }) => isOfDeclaration(text) && (isFrequent || !isOfDeclaration(taken)))
      .map(({ text, taken }) => [text, new TermTaken(text, taken)]),
  );
}
