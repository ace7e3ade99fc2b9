import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import type { RowFilter } from '../../kernel/domain/scopes/caller.js';
import { CORRELATION_ID, type CorrelationId } from '../../auth/access/correlation-id.js';
import { equalInConstantTime } from '../../auth/secrets/equal-in-constant-time.js';
import { SealedTextError } from '../../auth/secrets/secrets-box.js';
import { SystemClients } from '../../auth/clients/system-clients.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { AddressPolicy } from '../../platform/outbound/address-policy.js';
import { hostOf, parseCallbackUrl } from '../../platform/outbound/callback-url.js';
import { OutboundClient } from '../../platform/outbound/outbound-client.js';
import { RecordFilter } from './record-filter.js';
import { isTopic, type Topic } from '../../kernel/domain/life-cycle/topic.js';
import { WebhookTurns } from '../webhook-turns.js';
import type { HubDto } from './subscribe.dto.js';
import { Subscriptions } from './subscriptions.js';
import { disagreement, newChallenge, verificationUrl } from './verification.js';

/** W-1. */
export type SubscribeOutcome = { readonly kind: 'subscribed' } | { readonly kind: 'denied'; readonly reason: string };

const denied = (reason: string): SubscribeOutcome => ({ kind: 'denied', reason });

/** The checks of W-1 in their order, and the verification request of W-2. */
@Injectable()
export class Subscribe {
  private readonly log = new Logger(Subscribe.name);

  constructor(
    private readonly clients: SystemClients,
    private readonly subscriptions: Subscriptions,
    private readonly client: OutboundClient,
    private readonly policy: AddressPolicy,
    private readonly filter: RecordFilter,
    private readonly turns: WebhookTurns,
    @Inject(CONFIG) private readonly config: Pick<Config, 'WEBHOOK_ALLOW_HTTP'>,
    @Optional() @Inject(CORRELATION_ID) private readonly correlationId: CorrelationId = () => undefined,
  ) {}

  /**
   * Throws 400 or 403 for a query, and 503 if the client's secret cannot be read. Subscribes nothing if `hungUp` aborts
   * first.
   */
  async subscribe(clientId: Uuid, hub: HubDto, readable: RowFilter, hungUp: AbortSignal): Promise<SubscribeOutcome> {
    if (hub.query !== undefined && hub.query !== null) this.filter.check(hub.query, readable);
    const { topic, callback: text, format, query } = hub;
    if (!isTopic(topic)) return denied(`Unsupported topic: ${topic}`);
    const sha = await this.shaSecretOf(clientId);
    if (sha === undefined || !equalInConstantTime(hub.secret, sha.secret.reveal())) {
      return denied('hub.secret is incorrect');
    }
    if (hub.mode !== 'subscribe') return denied('hub.mode must be set to subscribe');
    const rules = { policy: this.policy, allowHttp: this.config.WEBHOOK_ALLOW_HTTP };
    const callback = parseCallbackUrl(text, rules);
    if (callback.kind === 'unsound') return denied(`hub.callback ${callback.reason}`);

    const refusal = await this.turns.verify(clientId, hungUp, () => this.verify(callback.url, topic));
    if (refusal !== undefined) {
      this.log.warn(`client ${clientId} is not subscribed at ${JSON.stringify(hostOf(callback.url))}: ${refusal}`);
      return denied(refusal);
    }
    const order = { clientId, topic, callback: text, format, query, shaSecretGeneration: sha.generation };
    await this.turns.run(clientId, hungUp, () => this.subscriptions.subscribe(order));
    return { kind: 'subscribed' };
  }

  private async shaSecretOf(clientId: Uuid): ReturnType<SystemClients['shaSecretOf']> {
    try {
      return await this.clients.shaSecretOf(clientId);
    } catch (error) {
      if (!(error instanceof SealedTextError)) throw error;
      const message = 'The sha_secret of the client cannot be read; its administrator can replace it';
      throw new ServiceError('SERVICE_UNAVAILABLE', message, { cause: error });
    }
  }

  /** Resolves with the reason if the subscriber does not agree. */
  private async verify(callback: URL, topic: Topic): Promise<string | undefined> {
    const challenge = newChallenge();
    const correlationId = this.correlationId();
    const exchange = await this.client.exchange({
      method: 'GET',
      url: verificationUrl(callback, topic, challenge),
      headers: correlationId === undefined ? {} : { 'x-correlation-id': correlationId },
    });
    if (exchange.kind === 'refused') return `hub.callback ${exchange.reason}`;
    const reason = disagreement(exchange, challenge);
    return reason === undefined ? undefined : `Subscription callback check failed: ${reason}`;
  }
}
