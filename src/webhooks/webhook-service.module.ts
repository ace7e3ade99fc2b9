import { type DynamicModule, Module } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import type { Config } from '../platform/config/config.js';
import { CORRELATION_ID, type CorrelationId } from '../auth/access/request-target.js';
import { DeliveryModule } from './delivery.module.js';
import { RegisterReading } from './subscriptions/register-reading.js';
import { WebhookRoutesModule } from './webhook-routes.module.js';
import { WebhooksModule } from './webhooks.module.js';

interface Options {
  readonly config: Config;
  /** Where the routes are mounted. */
  readonly mount: string;
  readonly correlationId: CorrelationId;
}

/** All of webhooks: subscriptions with their routes, the outbox, and the delivery of its contents. */
@Module({})
export class WebhookServiceModule {
  static async of({ config, mount, correlationId }: Options): Promise<DynamicModule> {
    const delivery = await DeliveryModule.of(config);
    return {
      module: WebhookServiceModule,
      global: true,
      imports: [
        WebhooksModule,
        WebhookRoutesModule,
        delivery,
        RouterModule.register([{ path: mount, module: WebhookRoutesModule }]),
      ],
      providers: [{ provide: CORRELATION_ID, useValue: correlationId }, RegisterReading],
      exports: [CORRELATION_ID, delivery],
    };
  }
}
