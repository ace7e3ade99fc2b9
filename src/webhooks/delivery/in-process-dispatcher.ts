import { Injectable } from '@nestjs/common';

import { DeliveryRunner } from './delivery-runner.js';
import { Dispatcher } from './dispatcher.js';
import type { Lease } from './lanes/lanes.js';

/** Runs leases in the process that claimed them: without Redis (P-3). */
@Injectable()
export class InProcessDispatcher extends Dispatcher {
  readonly state = 'up';

  constructor(private readonly runner: DeliveryRunner) {
    super();
  }

  dispatch(claim: Lease): Promise<void> {
    return this.runner.begin(claim);
  }

  takeNoMore(): void {
    // Nobody hands anything over.
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
