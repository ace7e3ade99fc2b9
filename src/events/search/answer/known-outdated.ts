import type { Found } from './found.js';

/**
 * Words or kinds of values are newer than the plan, so a record may be missed. The search must be planned again (S-14);
 * if the plan is the same, `found` is right.
 */
export class KnownOutdated extends Error {
  constructor(readonly found: Found) {
    super('there are other words or kinds of values now');
    this.name = 'KnownOutdated';
  }
}
