import { bodyOf } from '../../notification/envelope.js';
import type { DueDelivery } from '../due-deliveries.js';
import type { ContextRow, DeliveryRow } from '../outbox-writer.js';
import { NOT_SIGNED } from '../outbox-writer.js';
import type { LaneOffers, Offer } from './lane-offers.js';
import { MOST_OFFERED_CHARACTERS } from './lane-offers.js';

/** What a transaction published, to be announced after its commit. */
export interface Published {
  /** Deliveries on lanes that this process holds. */
  readonly offers: readonly Offer[];
  /** Whether there are others. */
  readonly isMore: boolean;
}

/** Of one transaction; the rest is read from the database. */
const MOST_OFFERS = 200;

/** Gathers what a transaction publishes. */
export class PublishedOffers implements Published {
  readonly offers: Offer[] = [];
  isMore = false;

  constructor(private readonly lanes: Pick<LaneOffers, 'holds'>) {}

  add(
    delivery: DeliveryRow,
    context: ContextRow,
    {
      format,
      currentShaSecret,
      now,
    }: Pick<DueDelivery, 'format'> & Pick<Offer, 'currentShaSecret'> & { readonly now: Date },
  ): void {
    const { id, subscriptionId, status, shaSecretGeneration, correlationId } = delivery;
    if (status !== 'pending') return;
    const length = delivery.head.length + context.body.length + delivery.tail.length;
    const isWhole = shaSecretGeneration !== NOT_SIGNED && length <= MOST_OFFERED_CHARACTERS;
    if (this.offers.length >= MOST_OFFERS || !isWhole || !this.lanes.holds(subscriptionId)) {
      this.isMore = true;
      return;
    }
    const body = bodyOf(delivery, context.body);
    const due = { id, format, body, correlationId, failures: 0, dueMs: now.getTime(), shaSecretGeneration };
    this.offers.push({ subscriptionId, currentShaSecret, delivery: due });
  }
}
