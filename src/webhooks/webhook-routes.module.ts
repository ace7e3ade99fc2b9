import { Module } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import { DeliveriesController } from './delivery-log/deliveries.controller.js';
import { SubscriberHttpModule } from './subscriber-http.module.js';
import { ClientFormatController } from './subscriptions/client-format.controller.js';
import { Subscribe } from './subscriptions/subscribe.js';
import { SubscriptionList } from './subscriptions/subscription-list.js';
import { SubscriptionPortions } from './subscriptions/subscription-portions.js';
import { SubscriptionsController } from './subscriptions/subscriptions.controller.js';
import { WebhookTurns } from './subscriptions/webhook-turns.js';
import { WebhooksModule } from './webhooks.module.js';

/** The routes of subscriptions and of their deliveries. */
@Module({
  imports: [WebhooksModule, AuthModule, SubscriberHttpModule],
  providers: [Subscribe, SubscriptionList, SubscriptionPortions, WebhookTurns],
  controllers: [SubscriptionsController, ClientFormatController, DeliveriesController],
})
export class WebhookRoutesModule {}
