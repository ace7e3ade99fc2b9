/**
 * Kinds of values were written that the search did not know when it was compiled: it may have looked in too few places.
 * It is to be compiled again with those of now (S-14).
 */
export class ShapesOutdated extends Error {
  constructor() {
    super('there are other kinds of values now');
    this.name = 'ShapesOutdated';
  }
}
