import { isOfMetadata } from '../terms/metadata-terms.js';
import { isOfArea } from './area-terms.js';

export type TermSubject = 'metadata' | 'area' | 'declaration';

export const subjectOfTerm = (text: string): TermSubject =>
  isOfMetadata(text) ? 'metadata' : isOfArea(text) ? 'area' : 'declaration';
