import type { Queryable } from '../../platform/database/connection/queryable.js';
import { MIB } from '../../kernel/domain/bytes.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';

/** Rows of one statement: with more, serializing them would block the process for too long. */
const MOST_ROWS = 1_000;
const MOST_CHARACTERS = 2 * MIB;

/** The content of a notification: one for each change and format. */
export interface ContextRow {
  readonly id: string;
  readonly body: string;
}

/** The generation of a delivery whose secret could not be read yet: it is signed before its first attempt. */
export const NOT_SIGNED = -1;

/** One notification to one subscription. Its body is `head`, the body of its context, and `tail`. */
export interface DeliveryRow {
  readonly id: Uuid;
  readonly subscriptionId: Uuid;
  readonly eventId: Uuid;
  readonly contextId: string;
  readonly head: string;
  readonly tail: string;
  readonly status: 'pending' | 'dead';
  /** The generation of the secret that has signed it, or `NOT_SIGNED`. */
  readonly shaSecretGeneration: number;
  /** The id of the request that brought the change (G-5). */
  readonly correlationId: string;
}

/** Writes contexts and deliveries to the outbox, many with each statement, however many there are. */
export class OutboxWriter {
  private contexts: ContextRow[] = [];
  private deliveries: DeliveryRow[] = [];
  private characters = 0;

  constructor(private readonly transaction: Queryable) {}

  /** To be called before the deliveries of the context are added. */
  addContext(context: ContextRow): void {
    this.contexts.push(context);
    this.characters += context.body.length;
  }

  /** Whether `write` should be called before more is added. */
  get isFull(): boolean {
    return this.deliveries.length >= MOST_ROWS || this.characters >= MOST_CHARACTERS;
  }

  add(delivery: DeliveryRow): void {
    this.deliveries.push(delivery);
    this.characters += delivery.head.length + delivery.tail.length;
  }

  /** Writes what was added since the last call. */
  async write(): Promise<void> {
    const { contexts, deliveries } = this;
    this.contexts = [];
    this.deliveries = [];
    this.characters = 0;
    if (contexts.length === 0 && deliveries.length === 0) return;
    await this.transaction.query(sql`
      with context as (
        insert into webhook_context (id, body)
        select * from unnest(${contexts.map(({ id }) => id)}::uuid[], ${contexts.map(({ body }) => body)}::text[])
      )
      insert into webhook_delivery
        (id, subscription_id, event_id, context_id, head, tail, status, sha_secret_generation, correlation_id,
         next_attempt_at)
      select new.*, case new.status when 'pending' then now() end
        from unnest(
          ${deliveries.map(({ id }) => id)}::uuid[],
          ${deliveries.map(({ subscriptionId }) => subscriptionId)}::uuid[],
          ${deliveries.map(({ eventId }) => eventId)}::uuid[],
          ${deliveries.map(({ contextId }) => contextId)}::uuid[],
          ${deliveries.map(({ head }) => head)}::text[],
          ${deliveries.map(({ tail }) => tail)}::text[],
          ${deliveries.map(({ status }) => status)}::text[],
          ${deliveries.map(({ shaSecretGeneration }) => shaSecretGeneration)}::int[],
          ${deliveries.map(({ correlationId }) => correlationId)}::text[])
          as new (id, subscription_id, event_id, context_id, head, tail, status, sha_secret_generation, correlation_id)`);
  }
}
