import type { Sql } from '../../../sql/sql.js';
import { all, any, sql } from '../../../sql/sql.js';
import type { Candidates } from './candidates.js';
import type { Narrowing } from './narrowing.js';
import { compileNarrowing, compileTriedNarrowing, isNothing } from './narrowing.js';

/** A condition on the declaration of `s`, a row of `event_search`. It is never NULL where a NOT could make it true. */
export interface DataLeaf {
  readonly kind: 'data';
  /** The terms that every match has. */
  readonly narrowing: Narrowing;
  /** Whether every record that has them is a match, provided that `proof` holds: the document need not be read then. */
  readonly decides: boolean;
  readonly proof: Proof;
  /** The condition itself, tried on the document: some 30 us a record. */
  readonly recheck: Sql;
}

/**
 * What must be so in the database for terms to decide: two terms can have one hash, and then a record that has the one
 * would be found by the other. Every countable term of a record is in the table `term`, or in `term_doubt` when another
 * with its hash came first.
 */
export interface Proof {
  /** Terms, by hash and text, that are looked for: no other text may be known by the hash. */
  readonly terms: readonly Term[];
  /** Further hashes that must not be in doubt. */
  readonly doubts: readonly bigint[];
}

export interface Term {
  readonly hash: bigint;
  readonly text: string;
}

export const NO_PROOF: Proof = { terms: [], doubts: [] };

export const bothProofs = (proofs: readonly Proof[]): Proof => ({
  terms: proofs.flatMap(({ terms }) => terms),
  doubts: proofs.flatMap(({ doubts }) => doubts),
});

/** The condition that has these candidates. Where some of them are sure to match, their documents need not be read either. */
export function leafOf({ narrowing, sure, decides, proof }: Candidates, recheck: Sql): DataLeaf {
  if (decides) return { kind: 'data', narrowing, decides, proof, recheck };
  const shortCut = all([compileProof(proof), compileTriedNarrowing(sure)]);
  return {
    kind: 'data',
    narrowing,
    decides: false,
    proof: NO_PROOF,
    recheck: isNothing(sure) ? recheck : any([shortCut, recheck]),
  };
}

/** The condition as SQL: found by its terms, and tried on the document where they do not decide. */
export const compileDataLeaf = (leaf: DataLeaf): Sql => all([compileNarrowing(leaf.narrowing), compileRest(leaf)]);

/** The same, for rows that are tried one by one. */
export const compileTriedDataLeaf = (leaf: DataLeaf): Sql =>
  all([compileTriedNarrowing(leaf.narrowing), compileRest(leaf)]);

/** What is left to be tried on a row that has the terms. */
const compileRest = ({ decides, proof, recheck }: DataLeaf): Sql =>
  decides ? any([compileProof(proof), recheck]) : recheck;

/** Whether the proof holds: a subquery that rests on no row, and is answered once a statement, in its snapshot. */
export function compileProof({ terms, doubts }: Proof): Sql {
  const hashes = terms.map(({ hash }) => hash);
  const texts = terms.map(({ text }) => text);
  return sql`(select not exists (select from term_doubt where hash = any(${[...hashes, ...doubts]}::bigint[]))
    and not exists (select from unnest(${hashes}::bigint[], ${texts}::text[]) as meant (hash, text)
      join term on term.hash = meant.hash where term.text <> meant.text))`;
}
