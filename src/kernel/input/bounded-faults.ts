import { Faults } from '../errors/faults.js';
import type { Issue } from '../errors/service-error.js';

const MOST = 100;

/** Keeps the first 100 faults and counts the rest: a line of an import may have millions. */
export class BoundedFaults extends Faults {
  private unlisted = 0;

  /** `whole`: the input's name in faults of all of it. */
  constructor(private readonly whole = 'body') {
    super();
  }

  override add(path: string | (() => string), message: string | (() => string)): void {
    if (this.listed.length < MOST) super.add(path, message);
    else this.unlisted += 1;
  }

  override get issues(): readonly Issue[] {
    if (this.unlisted === 0) return this.listed;
    return [...this.listed, { message: `${this.whole}: has ${this.unlisted} more faults than are listed` }];
  }
}
