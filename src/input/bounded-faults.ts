import { Faults } from '../errors/faults.js';

const MOST = 100;

/**
 * The first 100 faults of one input: a line of an import may have millions, and memory must not grow with them.
 */
export class BoundedFaults extends Faults {
  override add(path: string | (() => string), message: string): void {
    if (this.issues.length < MOST) super.add(path, message);
  }
}
