import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';

/**
 * What must be so in the database for terms to decide: two terms can have one hash, and then a record that has the one
 * would be found by the other. Every countable term of a record is in the table `term`, or in `term_doubt` when another
 * with its hash came first.
 */
export interface Proof {
  /** Terms, by hash and text, that are looked for: no other text may be known by the hash. */
  readonly terms: readonly MeantTerm[];
  /** Further hashes that must not be in doubt. */
  readonly doubts: readonly bigint[];
}

/** A term that is meant: its hash, and the text that it is the hash of. */
export interface MeantTerm {
  readonly hash: bigint;
  readonly text: string;
}

/** Nothing to be proved. */
export const NO_PROOF: Proof = { terms: [], doubts: [] };

/** What all of the proofs ask for. */
export const bothProofs = (proofs: readonly Proof[]): Proof => ({
  terms: proofs.flatMap(({ terms }) => terms),
  doubts: proofs.flatMap(({ doubts }) => doubts),
});

/** Whether there is nothing to be proved. */
export const isEmpty = ({ terms, doubts }: Proof): boolean => terms.length === 0 && doubts.length === 0;

/** Whether the proof holds: a subquery that rests on no row, and is answered once a statement, in its snapshot. */
export function compileProof({ terms, doubts }: Proof): Sql {
  const hashes = terms.map(({ hash }) => hash);
  const texts = terms.map(({ text }) => text);
  return sql`(select not exists (select from term_doubt where hash = any(${[...hashes, ...doubts]}::bigint[]))
    and not exists (select from unnest(${hashes}::bigint[], ${texts}::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text))`;
}
