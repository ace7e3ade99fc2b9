import type { Found } from './found.js';

/**
 * Words or kinds of values are newer than the plan: the search must be planned again (S-14). If the plan is the same,
 * `found` is right.
 */
export class KnownOutdated extends Error {
  constructor(readonly found: Found) {
    super('there are other words or kinds of values now');
    this.name = 'KnownOutdated';
  }
}
