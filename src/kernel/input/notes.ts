import type { ServiceError } from '../errors/service-error.js';
import { BoundedFaults } from './bounded-faults.js';

/**
 * What is recorded while one body is read: its faults, and the totals that are limited over the whole body. Dates are
 * read in `timezone` (S-8). `dateFields` are the fields of a declaration that are known as dates; without them dates in
 * `data` are not checked (S-10). `unorderedFields` are those that hold values without an order (S-12).
 */
export class Notes {
  clauses = 0;
  dataKeys = 0;
  private readonly faults = new BoundedFaults();

  constructor(
    readonly timezone = 'UTC',
    readonly dateFields?: ReadonlySet<string>,
    readonly unorderedFields?: ReadonlySet<string>,
  ) {}

  /** Records a fault. Beyond the listed ones it is only counted, and neither its path nor its message is built. */
  refuse(path: () => string, message: () => string): void {
    this.faults.add(path, message);
  }

  get none(): boolean {
    return this.faults.none;
  }

  /** 400 with one issue per fault: the first 100, and then how many more there are. */
  toError(): ServiceError {
    return this.faults.toError();
  }
}
