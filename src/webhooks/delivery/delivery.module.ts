import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';

import { AuthModule } from '../../auth/auth.module.js';
import type { Config } from '../../platform/config/config.js';
import { SubscriberHttpModule } from '../subscriber-http.module.js';
import { Deliveries } from './deliveries.js';
import { DeliveryBacklog } from './delivery-backlog.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DeliveryRunner } from './delivery-runner.js';
import { DeliveryUpkeep } from './delivery-upkeep.js';
import { Dispatcher } from './dispatcher.js';
import { DueDeliveries } from './due-deliveries.js';
import { InProcessDispatcher } from './in-process-dispatcher.js';
import { Lanes } from './lanes/lanes.js';
import { Relay } from './relay.js';
import { Settlements } from './settlements.js';
import type { Dispatch } from './through-bull.js';

const IN_PROCESS: Dispatch = { imports: [], providers: [], dispatcher: InProcessDispatcher };

/** Makes deliveries: dispatched in this process or, if `REDIS_URL` is set, through Bull (P-3). */
@Module({})
export class DeliveryModule {
  static async of({ REDIS_URL }: Pick<Config, 'REDIS_URL'>): Promise<DynamicModule> {
    const { imports, providers, dispatcher } =
      REDIS_URL === undefined ? IN_PROCESS : (await import('./through-bull.js')).throughBull(REDIS_URL);
    return {
      module: DeliveryModule,
      imports: [AuthModule, SubscriberHttpModule, ...imports],
      providers: [
        Lanes,
        DueDeliveries,
        Settlements,
        DeliveryBacklog,
        DeliveryMetrics,
        DeliveryRunner,
        Relay,
        DeliveryUpkeep,
        Deliveries,
        ...providers,
        { provide: Dispatcher, useClass: dispatcher },
      ],
      exports: [Deliveries, DeliveryMetrics],
    };
  }
}
