import { type DynamicModule, Global, Inject, Module, type OnModuleDestroy, Optional } from '@nestjs/common';
import { EventPublisher, FilesToEnclose } from '../events/write/event-publisher.js';
import { EnclosedFiles } from './notification/enclosed-files.js';
import { DueAnnouncements } from './delivery/due-announcements.js';
import { Publisher } from './delivery/publisher.js';
import { DeliveryLog } from './delivery/delivery-log.js';
import { ClientFormats } from './subscriptions/client-formats.js';
import { SubscriptionRegister } from './subscriptions/subscription-register.js';
import { Subscriptions } from './subscriptions/subscriptions.js';
import { Deliveries } from './delivery/deliveries.js';
import { DeliveryClaims } from './delivery/delivery-claims.js';
import { DeliveryUpkeep } from './delivery/delivery-upkeep.js';
import { DueDeliveries } from './delivery/due-deliveries.js';
import { Settlements } from './delivery/settlements.js';
import { RecordFilter } from './subscriptions/record-filter.js';
import { type Config, CONFIG } from '../platform/config/config.js';
import { AddressPolicy } from '../platform/outbound/address-policy.js';
import { OutboundClient } from '../platform/outbound/outbound-client.js';
import { hostResolver } from '../platform/outbound/resolve-host.js';
import { DeliveriesController } from './delivery/deliveries.controller.js';
import { ClientFormatController } from './subscriptions/client-format.controller.js';
import { Subscribe } from './subscriptions/subscribe.js';
import { SubscriptionList } from './subscriptions/subscription-list.js';
import { SubscriptionsController } from './subscriptions/subscriptions.controller.js';
import { RouterModule } from '@nestjs/core';

const MOST_NAMES = 1_000;

/** For routes and commands. */
const SHARED = [
  ClientFormats,
  DeliveryLog,
  DueAnnouncements,
  EnclosedFiles,
  Publisher,
  RecordFilter,
  SubscriptionRegister,
  Subscriptions,
];

/** The HTTP client for subscribers, with the limits of the configuration (W-6). */
const SUBSCRIBER_HTTP = [
  {
    provide: AddressPolicy,
    useFactory: (config: Config) => new AddressPolicy(config.WEBHOOK_ALLOW_CIDRS),
    inject: [CONFIG],
  },
  {
    provide: OutboundClient,
    useFactory: (policy: AddressPolicy, config: Config) =>
      new OutboundClient({
        policy,
        resolve: hostResolver(MOST_NAMES),
        allowHttp: config.WEBHOOK_ALLOW_HTTP,
        timeoutMs: config.WEBHOOK_TIMEOUT_SECONDS * 1_000,
        certificateAuthorities: config.WEBHOOK_CA,
      }),
    inject: [AddressPolicy, CONFIG],
  },
];

/** Subscriptions and the outbox, for whoever writes records: events declare who hears of a change. */
@Global()
@Module({
  providers: [
    ...SHARED,
    { provide: EventPublisher, useExisting: Publisher },
    { provide: FilesToEnclose, useExisting: EnclosedFiles },
  ],
  exports: [...SHARED, EventPublisher, FilesToEnclose],
})
export class WebhooksModule implements OnModuleDestroy {
  constructor(@Optional() @Inject(OutboundClient) private readonly client?: OutboundClient) {}

  /**
   * With routes, mounted there, and deliveries; commands take the class itself. If `REDIS_URL` is set, processes wake
   * each other through Bull as well (P-3).
   */
  static async forService({ REDIS_URL }: Pick<Config, 'REDIS_URL'>, mount: string): Promise<DynamicModule> {
    // A service without Redis need not load Bull.
    const bull = REDIS_URL && (await import('./delivery/bull-wake-ups.js')).throughBull(REDIS_URL);
    return {
      module: WebhooksModule,
      imports: [RouterModule.register([{ path: mount, module: WebhooksModule }]), ...(bull?.imports ?? [])],
      controllers: [SubscriptionsController, ClientFormatController, DeliveriesController],
      providers: [
        ...SUBSCRIBER_HTTP,
        ...[Deliveries, DeliveryClaims, DeliveryUpkeep, DueDeliveries, Settlements],
        ...[Subscribe, SubscriptionList],
        ...(bull?.providers ?? []),
      ],
      exports: [Deliveries],
    };
  }

  /** When neither deliveries nor requests are in progress any more. */
  async onModuleDestroy(): Promise<void> {
    await this.client?.close();
  }
}
