import { aUuid } from '../../../../test/support/builders/a-uuid.js';
import type { DeliveryRow } from '../outbox-writer.js';
import { NOT_SIGNED } from '../outbox-writer.js';
import { MOST_OFFERED_CHARACTERS } from './lane-offers.js';
import { PublishedOffers } from './published-offers.js';

const HELD = aUuid(1);
const NOW = new Date(1_000);
const CONTEXT = { id: aUuid(2), body: '{}' };
const ROW: DeliveryRow = {
  id: aUuid(3),
  subscriptionId: HELD,
  eventId: aUuid(4),
  contextId: CONTEXT.id,
  head: '[',
  tail: ']',
  status: 'pending',
  shaSecretGeneration: 2,
  correlationId: 'correlation',
};
const OFFER = {
  subscriptionId: HELD,
  currentShaSecret: 3,
  delivery: {
    id: ROW.id,
    format: 'standard',
    body: Buffer.from('[{}]'),
    correlationId: 'correlation',
    failures: 0,
    dueMs: 1_000,
    shaSecretGeneration: 2,
  },
};

/** What is published of these, on one lane that this process holds. */
function published(rows: readonly DeliveryRow[]): Pick<PublishedOffers, 'offers' | 'isMore'> {
  const found = new PublishedOffers({ holds: (subscriptionId) => subscriptionId === HELD });
  for (const row of rows) found.add(row, CONTEXT, { format: 'standard', currentShaSecret: 3, now: NOW });
  return { offers: found.offers, isMore: found.isMore };
}

describe('what a transaction publishes', () => {
  it('is offered to the lanes that the process holds', () => {
    expect(published([ROW])).toEqual({ offers: [OFFER], isMore: false });
  });

  it.each<[string, Partial<DeliveryRow>]>([
    ['another process holds its lane', { subscriptionId: aUuid(5) }],
    ['it is not signed yet', { shaSecretGeneration: NOT_SIGNED }],
    ['its body is long', { head: 'x'.repeat(MOST_OFFERED_CHARACTERS) }],
  ])('is announced where %s', (_, other) => {
    expect(published([{ ...ROW, ...other }])).toEqual({ offers: [], isMore: true });
  });

  it('is neither where it is dead from the beginning', () => {
    expect(published([{ ...ROW, status: 'dead' }])).toEqual({ offers: [], isMore: false });
  });

  it('is offered up to 200 deliveries, and announced beyond', () => {
    const many = (count: number): DeliveryRow[] => Array.from({ length: count }, () => ROW);
    expect(published(many(200))).toEqual({ offers: Array.from({ length: 200 }, () => OFFER), isMore: false });
    expect(published(many(201))).toEqual({ offers: Array.from({ length: 200 }, () => OFFER), isMore: true });
  });
});
