import { type Sql, sql } from '../../../kernel/sql/sql.js';

/**
 * When terms decide: two can have the same hash. Every countable term of a record is in the table `term`, or in
 * `term_doubt` if another with its hash came first.
 */
export interface Proof {
  /** The hash of each must not belong to another text. */
  readonly terms: readonly MeantTerm[];
  /** Further hashes that must not be in doubt. */
  readonly doubts: readonly bigint[];
}

export interface MeantTerm {
  readonly hash: bigint;
  readonly text: string;
}

export const NO_PROOF: Proof = { terms: [], doubts: [] };

export const combinedProof = (proofs: readonly Proof[]): Proof => ({
  terms: proofs.flatMap(({ terms }) => terms),
  doubts: proofs.flatMap(({ doubts }) => doubts),
});

export const isEmpty = ({ terms, doubts }: Proof): boolean => terms.length === 0 && doubts.length === 0;

/** An uncorrelated subquery, evaluated once a statement. */
export function compileProof({ terms, doubts }: Proof): Sql {
  const hashes = terms.map(({ hash }) => hash);
  const texts = terms.map(({ text }) => text);
  return sql`(select not exists (select from term_doubt where hash = any(${[...hashes, ...doubts]}::bigint[]))
    and not exists (select from unnest(${hashes}::bigint[], ${texts}::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text))`;
}
