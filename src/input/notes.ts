import { Faults, INVALID_INPUT } from '../errors/faults.js';
import { ServiceError } from '../errors/service-error.js';

/** Issues listed in one answer; the last one counts the rest. */
const MAX_LISTED_FAULTS = 100;

/**
 * What is recorded while one body is read: its faults, and the totals that are limited over the whole body. Dates are
 * read in `timezone` (S-8).
 */
export class Notes {
  clauses = 0;
  dataKeys = 0;
  /** Most bodies have none. */
  private faults: Faults | undefined;
  private unlisted = 0;

  constructor(readonly timezone = 'UTC') {}

  /** Records a fault. Beyond the listed ones it is only counted, and neither its path nor its message is built. */
  refuse(path: () => string, message: () => string): void {
    this.faults ??= new Faults();
    if (this.faults.issues.length < MAX_LISTED_FAULTS) this.faults.add(path(), message());
    else this.unlisted += 1;
  }

  get none(): boolean {
    return this.faults === undefined;
  }

  /** 400 with one issue per fault: the first 100, and then how many more there are. */
  toError(): ServiceError {
    const issues = this.faults?.issues ?? [];
    const rest = this.unlisted === 0 ? [] : [{ message: `body: has ${this.unlisted} more faults than are listed` }];
    return new ServiceError('BAD_REQUEST', INVALID_INPUT, { issues: [...issues, ...rest] });
  }
}
