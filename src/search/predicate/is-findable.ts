import { absurd } from '../../errors/absurd.js';
import type { Predicate, RowLeaf } from './predicate.js';

/** Whether an index finds the matches. */
export function isFindable(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'all':
      return predicate.parts.some(isFindable);
    case 'any':
      return predicate.parts.every(isFindable);
    case 'not':
      return false;
    case 'row':
      return hasIndex(predicate) || predicate.candidateTerms.kind !== 'none';
    case 'data':
      return predicate.candidateTerms.kind !== 'none';
    default:
      return absurd(predicate);
  }
}

/** Whether an index on columns finds the matches. */
export const hasIndex = ({ index }: RowLeaf): boolean => index === 'own' || index === 'composite';
