import { isOfMetadata } from '../terms/metadata-terms.js';
import { isOfArea } from './area-terms.js';

/** What a term says something about. */
export type TermSubject = 'metadata' | 'area' | 'declaration';

/** By its text. */
export const subjectOfTerm = (text: string): TermSubject =>
  isOfMetadata(text) ? 'metadata' : isOfArea(text) ? 'area' : 'declaration';
