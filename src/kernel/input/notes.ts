import type { ServiceError } from '../errors/service-error.js';
import { BoundedFaults } from './bounded-faults.js';

/**
 * Faults and totals of one body. `timezone` is for dates (S-8). Without `dateFields` dates in `data` are unchecked
 * (S-10). `unorderedFields` hold values without an order (S-12).
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

  /** Past the limit a fault is only counted; neither path nor message is built. */
  refuse(path: () => string, message: () => string): void {
    this.faults.add(path, message);
  }

  get none(): boolean {
    return this.faults.none;
  }

  /** 400 with the first 100 faults and the number of others. */
  toError(): ServiceError {
    return this.faults.toError();
  }
}
