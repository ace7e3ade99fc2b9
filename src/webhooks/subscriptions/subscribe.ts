import { randomBytes } from 'node:crypto';
import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { CORRELATION_ID, type CorrelationId } from '../../auth/access/request-target.js';
import { SystemClients } from '../../auth/clients/system-clients.js';
import { equalInConstantTime, SealedTextError } from '../../auth/secrets/secrets-box.js';
import { isTopic, type Topic } from '../../kernel/domain/life-cycle/topic.js';
import type { RowFilter } from '../../kernel/domain/scopes/caller.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { isObject } from '../../kernel/input/checks.js';
import { jsonValue } from '../../kernel/input/json.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { AddressPolicy, hostOf, parseCallbackUrl } from '../../platform/outbound/address-policy.js';
import type { Exchange } from '../../platform/outbound/exchange.js';
import { OutboundClient } from '../../platform/outbound/outbound-client.js';
import { noteOf } from '../../platform/outbox/outcome.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { RecordFilter } from './record-filter.js';
import type { HubDto } from './subscribe.dto.js';
import { Subscriptions } from './subscriptions.js';

/** 192 random bits in hex, which repeated decoding does not change (W-2). */
export const newChallenge = (): string => randomBytes(24).toString('hex');

/** The callback's own query stays as written. */
export function verificationUrl(callback: URL, topic: string, challenge: string): URL {
  const url = new URL(callback);
  const parameters = new URLSearchParams({ mode: 'subscribe', challenge, topic }).toString();
  url.search = url.search === '' ? parameters : `${url.search}&${parameters}`;
  return url;
}

/** Undefined for a 2xx answer whose JSON, under any content type, has exactly the challenge (W-2). */
export function disagreement(exchange: Exchange, challenge: string): string | undefined {
  if (exchange.kind === 'withdrawn') return 'the service is stopping';
  if (exchange.kind !== 'answered') return `no answer (${noteOf(exchange).error ?? exchange.kind})`;
  const { status, headers, body, whole } = exchange;
  if (status < 200 || status > 299) return `the answer has the status ${status}`;
  if (!whole) return 'the answer is too long, too slow or broken off';
  const answer = jsonValue(new TextDecoder().decode(body));
  if (isObject(answer)) return answer['challenge'] === challenge ? undefined : 'the answer does not have the challenge';
  const isCompressed = headers['content-encoding'] !== undefined;
  return isCompressed ? 'the answer is compressed, which was not asked for' : 'the answer is no JSON object';
}

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
    private readonly capacities: Capacities,
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

    const refusal = await this.capacities.run('callbacks', { client: clientId, hungUp }, () =>
      this.verify(callback.url, topic),
    );
    if (refusal !== undefined) {
      this.log.warn(`client ${clientId} is not subscribed at ${JSON.stringify(hostOf(callback.url))}: ${refusal}`);
      return denied(refusal);
    }
    const order = { clientId, topic, callback: text, format, query, shaSecretGeneration: sha.generation };
    await this.capacities.run('webhooks', { client: clientId, hungUp }, () => this.subscriptions.subscribe(order));
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
