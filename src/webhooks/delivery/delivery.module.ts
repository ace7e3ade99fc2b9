import { BullModule } from '@nestjs/bull';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';

import { AuthModule } from '../../auth/auth.module.js';
import type { Config } from '../../config/config.js';
import { SubscriberHttpModule } from '../subscriber-http/subscriber-http.module.js';
import { BullDispatcher, LANES_QUEUE } from './bull-dispatcher.js';
import { Deliveries } from './deliveries.js';
import { DeliveryBacklog } from './delivery-backlog.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DeliveryRunner } from './delivery-runner.js';
import { Dispatcher } from './dispatcher.js';
import { DueDeliveries } from './due-deliveries.js';
import { Housekeeping } from './housekeeping.js';
import { InProcessDispatcher } from './in-process-dispatcher.js';
import { Lanes } from './lanes/lanes.js';
import { redisOptions } from './redis-options.js';
import { Relay } from './relay.js';
import { Settlements } from './settlements.js';

/** Makes deliveries: dispatched in this process or, if `REDIS_URL` is set, through Bull (P-3). */
@Module({})
export class DeliveryModule {
  static of({ REDIS_URL }: Pick<Config, 'REDIS_URL'>): DynamicModule {
    return {
      module: DeliveryModule,
      imports: [
        AuthModule,
        SubscriberHttpModule,
        ...(REDIS_URL === undefined
          ? []
          : [
              BullModule.registerQueue({
                name: LANES_QUEUE,
                redis: redisOptions(REDIS_URL),
                prefix: 'matricula',
                // A stalled lane is claimed again: Bull need not detect it. The timer of its guard outlives the queue
                // by one interval.
                settings: { retryProcessDelay: 1_000, guardInterval: 500, maxStalledCount: 0 },
              }),
            ]),
      ],
      providers: [
        Lanes,
        DueDeliveries,
        Settlements,
        DeliveryBacklog,
        DeliveryMetrics,
        DeliveryRunner,
        Relay,
        Housekeeping,
        Deliveries,
        { provide: Dispatcher, useClass: REDIS_URL === undefined ? InProcessDispatcher : BullDispatcher },
      ],
      exports: [Deliveries, DeliveryMetrics],
    };
  }
}
