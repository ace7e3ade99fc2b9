import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { AccessTokens } from './access-tokens.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { AddressPolicy } from '../../platform/outbound/address-policy.js';
import type { Exchange } from '../../platform/outbound/exchange.js';
import { OutboundClient } from '../../platform/outbound/outbound-client.js';
import { hostResolver } from '../../platform/outbound/resolve-host.js';

/** The audience a country configuration requires. */
const AUDIENCE = 'opencrvs:countryconfig-user';
/** The operator configures the address, which may be internal or plain http (E-15). */
const EVERY_ADDRESS = ['0.0.0.0/0', '::/0'];

export interface Trigger {
  /** Segments after `trigger`; for an action `['events', type, 'actions', ACTION]`. */
  readonly path: readonly string[];
  readonly body: Buffer;
  readonly correlationId: string;
  /** Readable with the request's token. */
  readonly eventId?: Uuid;
  /** Checked once connected, before sending. */
  readonly isWanted: () => boolean;
}

/** Client of `COUNTRY_CONFIG_URL` (E-7, E-15). */
@Injectable()
export class CountryConfiguration implements OnModuleDestroy {
  private readonly client: OutboundClient;

  constructor(
    private readonly tokens: AccessTokens,
    @Inject(CONFIG)
    private readonly config: Pick<Config, 'COUNTRY_CONFIG_URL' | 'CONFIRMATION_TIMEOUT_SECONDS' | 'WEBHOOK_CA'>,
  ) {
    this.client = new OutboundClient({
      policy: new AddressPolicy(EVERY_ADDRESS),
      resolve: hostResolver(1),
      allowHttp: true,
      timeoutMs: config.CONFIRMATION_TIMEOUT_SECONDS * 1_000,
      certificateAuthorities: config.WEBHOOK_CA,
    });
  }

  /** Without it, every action is accepted at once. */
  get isConfigured(): boolean {
    return this.config.COUNTRY_CONFIG_URL !== undefined;
  }

  /** Bounded by `CONFIRMATION_TIMEOUT_SECONDS`, including the answer. */
  async post({ path, body, correlationId, eventId, isWanted }: Trigger): Promise<Exchange> {
    const { COUNTRY_CONFIG_URL: base } = this.config;
    if (base === undefined) throw new Error('there is no country configuration');
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${await this.tokens.serviceToken(AUDIENCE, eventId, new Date())}`,
      'x-correlation-id': correlationId,
    };
    return this.client.exchange({
      method: 'POST',
      url: triggerUrl(base, path),
      headers,
      body,
      isWanted,
    });
  }

  close(): Promise<void> {
    return this.client.close();
  }

  onModuleDestroy(): Promise<void> {
    return this.close();
  }
}

/** `{COUNTRY_CONFIG_URL}/trigger/…`: each part is one escaped segment. Throws for an impossible one. */
export function triggerUrl(base: string, path: readonly string[]): URL {
  const unsound = path.find((segment) => /^\.{1,2}$/.test(segment));
  if (unsound !== undefined) throw new Error(`no address has the segment ${unsound}`);
  const url = new URL(base);
  url.pathname = [url.pathname.replace(/\/+$/, ''), ...['trigger', ...path].map(encodeURIComponent)].join('/');
  url.search = '';
  url.hash = '';
  return url;
}
