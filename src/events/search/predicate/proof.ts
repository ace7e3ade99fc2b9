import { type Sql, sql } from '../../../kernel/sql/sql.js';

/**
 * What must be true in the database for terms to decide. Two terms can have the same hash, and a record with one of
 * them would then be found by the other. Every countable term of a record is in the table `term`, or in `term_doubt` if
 * another with its hash came first.
 */
export interface Proof {
  /** The terms that are looked up, by hash and text: the hash must not belong to another text. */
  readonly terms: readonly MeantTerm[];
  /** Further hashes that must not be in doubt. */
  readonly doubts: readonly bigint[];
}

/** A term as intended: its hash, and the text it is the hash of. */
export interface MeantTerm {
  readonly hash: bigint;
  readonly text: string;
}

/** Nothing to be proved. */
export const NO_PROOF: Proof = { terms: [], doubts: [] };

/** The proof that combines all of these. */
export const combinedProof = (proofs: readonly Proof[]): Proof => ({
  terms: proofs.flatMap(({ terms }) => terms),
  doubts: proofs.flatMap(({ doubts }) => doubts),
});

/** Whether there is nothing to be proved. */
export const isEmpty = ({ terms, doubts }: Proof): boolean => terms.length === 0 && doubts.length === 0;

/** Whether the proof holds: an uncorrelated subquery, evaluated once a statement, in its snapshot. */
export function compileProof({ terms, doubts }: Proof): Sql {
  const hashes = terms.map(({ hash }) => hash);
  const texts = terms.map(({ text }) => text);
  return sql`(select not exists (select from term_doubt where hash = any(${[...hashes, ...doubts]}::bigint[]))
    and not exists (select from unnest(${hashes}::bigint[], ${texts}::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text))`;
}
