import type { Queryable } from '../../database/queryable.js';
import { ServiceError } from '../../errors/service-error.js';
import { sentInBinary } from '../../sql/binary-params.js';
import { sql } from '../../sql/sql.js';
import { subjectOfTerm } from '../areas/subject-of-term.js';
import type { TermRow } from '../words/write-terms.js';
import { listed } from '../words/write-terms.js';

/**
 * A text of a declaration has the hash of a term that has a bitmap, or that is of metadata or of an area. Nobody writes
 * one by chance (one in 10^6, among 10^8 texts): it was looked for, and every search for that term would be slower from
 * then on.
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

/** Throws a `TermTaken` for the first such text: an `Admission` for what clients write. */
export async function refuseTaken(transaction: Queryable, clashing: readonly TermRow[]): Promise<void> {
  const clashes = await transaction.query<Clash>(
    sentInBinary(sql`
      select new.text, term.text as taken, exists (select from facet where facet.term = hash) as "isFrequent"
        from ${listed(clashing)} join term using (hash)
       where term.text <> new.text order by hash`),
  );
  const isOfDeclaration = (text: string): boolean => subjectOfTerm(text) === 'declaration';
  const clash = clashes.find(
    ({ text, taken, isFrequent }) => isOfDeclaration(text) && (isFrequent || !isOfDeclaration(taken)),
  );
  if (clash !== undefined) throw new TermTaken(clash.text, clash.taken);
}
