import { Module, type OnModuleDestroy } from '@nestjs/common';
import { type Config, CONFIG } from '../platform/config/config.js';
import { AddressPolicy } from '../platform/outbound/address-policy.js';
import { OutboundClient } from '../platform/outbound/outbound-client.js';
import { hostResolver } from '../platform/outbound/resolve-host.js';

const MOST_NAMES = 1_000;

/** The HTTP client for subscribers, with the limits of the configuration (W-6). */
@Module({
  providers: [
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
  ],
  exports: [AddressPolicy, OutboundClient],
})
export class SubscriberHttpModule implements OnModuleDestroy {
  constructor(private readonly client: OutboundClient) {}

  /** When neither deliveries nor requests are in progress any more. */
  onModuleDestroy(): Promise<void> {
    return this.client.close();
  }
}
