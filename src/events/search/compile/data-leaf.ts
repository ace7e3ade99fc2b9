import type { Sql } from '../../../sql/sql.js';
import { all, any } from '../../../sql/sql.js';
import type { Candidates } from './candidates.js';
import type { Narrowing } from './narrowing.js';
import { compileNarrowing, compileTriedNarrowing, isNothing } from './narrowing.js';
import type { Proof } from './proof.js';
import { compileProof, NO_PROOF } from './proof.js';

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
