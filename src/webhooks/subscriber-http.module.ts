import { Module } from '@nestjs/common';

import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.js';
import { AddressPolicy } from '../outbound/http/address-policy.js';
import { OutboundClient } from '../outbound/http/outbound-client.js';
import { rememberingResolver, systemResolver } from '../outbound/http/resolve-host.js';

/** How long a name server may take, and how long its answer is valid. */
const NAME_SERVER_MS = 3_000;
const NAME_KEPT_MS = 5_000;
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
          resolve: rememberingResolver(systemResolver(NAME_SERVER_MS), NAME_KEPT_MS, MOST_NAMES, () =>
            performance.now(),
          ),
          allowHttp: config.WEBHOOK_ALLOW_HTTP,
          timeoutMs: config.WEBHOOK_TIMEOUT_SECONDS * 1_000,
          certificateAuthorities: config.WEBHOOK_CA,
        }),
      inject: [AddressPolicy, CONFIG],
    },
  ],
  exports: [AddressPolicy, OutboundClient],
})
export class SubscriberHttpModule {}
