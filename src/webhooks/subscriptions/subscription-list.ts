import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Refusals } from '../../platform/queue/refusals.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { streamedBody } from '../../events/search/answer/streamed-body.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { type ListedSubscription, type SubscriptionPortion, SubscriptionPortions } from './subscription-portions.js';

const HEAD = '{"entries":[';
const TAIL = ']}';

/** `GET /webhooks`: a long answer is streamed, each portion read in its own turn. */
@Injectable()
export class SubscriptionList {
  constructor(
    private readonly portions: SubscriptionPortions,
    private readonly capacities: Capacities,
    private readonly refusals: Refusals,
  ) {}

  /** JSON. Throws 503 without a turn; a body that has begun breaks off. */
  async write(clientId: Uuid, hungUp: AbortSignal): Promise<string | Readable> {
    const read = (after?: SubscriptionPortion['next']): Promise<SubscriptionPortion> =>
      this.capacities.run('webhooks', { client: clientId, hungUp }, () => this.portions.read(clientId, after));
    const first = await read();
    if (first.next === undefined) return `${HEAD}${textOf(first)}${TAIL}`;
    return streamedBody({
      signal: hungUp,
      produce: async (write) => {
        await write(`${HEAD}${textOf(first)}`);
        for (let { next } = first; next !== undefined;) {
          const portion = await read(next);
          if (portion.subscriptions.length > 0) await write(`,${textOf(portion)}`);
          ({ next } = portion);
        }
        await write(TAIL);
      },
      onBroken: (error) => {
        if (error instanceof ServiceError && error.refusal !== undefined) this.refusals.note(error.refusal, clientId);
      },
    });
  }
}

const textOf = ({ subscriptions }: SubscriptionPortion): string => subscriptions.map(entryOf).join(',');

function entryOf(subscription: ListedSubscription): string {
  const { id, clientId, clientName, callback, createdAt, topic, status, format, queryText } = subscription;
  const entry = JSON.stringify({
    id,
    callback,
    createdAt: createdAt.toISOString(),
    createdBy: { client_id: clientId, type: 'api', username: clientName, name: clientName },
    topic,
    status,
    ...(format !== 'standard' && { format }),
  });
  return queryText === null ? entry : `${entry.slice(0, -1)},"query":${queryText}}`;
}
