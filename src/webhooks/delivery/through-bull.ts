import { BullModule } from '@nestjs/bull';
import type { DynamicModule, Provider, Type } from '@nestjs/common';

import type { Secret } from '../../platform/config/secret.js';
import { BullConnections } from './bull-connections.js';
import { BullDispatcher, LANES_QUEUE } from './bull-dispatcher.js';
import type { Dispatcher } from './dispatcher.js';
import { redisOptions } from './redis-options.js';

/** What dispatches deliveries, and the modules and providers that it needs. */
export interface Dispatch {
  readonly imports: readonly DynamicModule[];
  readonly providers: readonly Provider[];
  readonly dispatcher: Type<Dispatcher>;
}

/** Dispatches through Bull. In a file of its own, since a service without Redis need not load Bull. */
export function throughBull(redisUrl: Secret): Dispatch {
  const connections = new BullConnections();
  const queue = BullModule.registerQueue({
    name: LANES_QUEUE,
    redis: redisOptions(redisUrl),
    createClient: connections.create,
    prefix: 'matricula',
    // A stalled lane is claimed again: Bull need not detect it. The timer of its guard outlives the queue by one
    // interval.
    settings: { retryProcessDelay: 1_000, guardInterval: 500, maxStalledCount: 0 },
  });
  return {
    imports: [queue],
    providers: [{ provide: BullConnections, useValue: connections }],
    dispatcher: BullDispatcher,
  };
}
