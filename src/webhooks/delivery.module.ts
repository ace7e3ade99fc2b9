import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import type { Config } from '../platform/config/config.js';
import { SubscriberHttpModule } from './subscriber-http.module.js';
import { Deliveries } from './delivery/deliveries.js';
import { DeliveryClaims } from './delivery/delivery-claims.js';
import { DeliveryMetrics } from './delivery/delivery-metrics.js';
import { DeliveryUpkeep } from './delivery/delivery-upkeep.js';
import { DueDeliveries } from './delivery/due-deliveries.js';
import { Settlements } from './delivery/settlements.js';

/** Makes deliveries. If `REDIS_URL` is set, its processes wake each other through Bull as well (P-3). */
@Module({})
export class DeliveryModule {
  static async of({ REDIS_URL }: Pick<Config, 'REDIS_URL'>): Promise<DynamicModule> {
    // A service without Redis need not load Bull.
    const bull = REDIS_URL && (await import('./delivery/bull-wake-ups.js')).throughBull(REDIS_URL);
    return {
      module: DeliveryModule,
      imports: [AuthModule, SubscriberHttpModule, ...(bull?.imports ?? [])],
      providers: [
        ...[Deliveries, DeliveryClaims, DueDeliveries, Settlements, DeliveryUpkeep, DeliveryMetrics],
        ...(bull?.providers ?? []),
      ],
      exports: [Deliveries, DeliveryMetrics],
    };
  }
}
