import type { Secret } from '../../platform/config/secret.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { TimeSlice } from '../../platform/queue/time-slice.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';
import { signedLater } from '../notification/envelope.js';
import { contextSignature } from '../notification/signatures.js';
import { NOT_SIGNED } from './outbox-writer.js';

/** A delivery that was read, signed or not. */
interface Readable {
  readonly id: Uuid;
  readonly body: string;
  /** Null if it is signed. */
  readonly unsignedHead: string | null;
  readonly shaSecretGeneration: number;
}

/**
 * Signs those that were published while their secret could not be read, before their first attempt, and stores that:
 * every attempt sends the same bytes (W-4). Those that somebody else has signed meanwhile are left out.
 */
export async function signLate<D extends Readable>(
  database: Queryable,
  deliveries: readonly D[],
  { secret, generation }: { readonly secret: Secret; readonly generation: number },
): Promise<readonly D[]> {
  const slice = new TimeSlice();
  const heads = new Map<Uuid, string>();
  const whole: D[] = [];
  for (const delivery of deliveries) {
    const { id, body, unsignedHead } = delivery;
    if (unsignedHead === null) {
      whole.push(delivery);
      continue;
    }
    const signed = signedLater({ head: unsignedHead, body }, (context) => contextSignature(context, secret));
    heads.set(id, signed.head);
    whole.push({ ...delivery, body: signed.body, shaSecretGeneration: generation });
    if (slice.isOver) await slice.next();
  }
  if (heads.size === 0) return whole;
  const stored = await database.query<{ readonly id: Uuid }>(sql`
    update webhook_delivery d set head = new.head, sha_secret_generation = ${generation}
      from unnest(${[...heads.keys()]}::uuid[], ${[...heads.values()]}::text[]) as new (id, head)
     where d.id = new.id and d.sha_secret_generation = ${NOT_SIGNED}
    returning d.id`);
  const ours = new Set(stored.map(({ id }) => id));
  return whole.filter(({ id }) => !heads.has(id) || ours.has(id));
}
