import { Injectable } from '@nestjs/common';

import { Database } from '../../../database/pools/database.js';
import type { EventAction } from '../../../domain/record/event-action.js';
import type { Uuid } from '../../../domain/uuid.js';
import { sql } from '../../../sql/sql.js';

type StoredAction = Pick<EventAction, 'id' | 'status'> & { readonly originalActionId?: Uuid };

interface EventRow {
  readonly id: Uuid;
  readonly type: string;
  readonly trackingId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly actions: readonly string[];
}

/** What is posted to have an action confirmed, or why nothing is. */
export type PostedEvent = { readonly body: Buffer } | 'not pending';

/** Reads what is posted to the country configuration: the whole event document, as it is when it is posted. */
@Injectable()
export class PostedEvents {
  constructor(private readonly database: Database) {}

  /** The event with what has happened to it; `not pending` if it, or the request, is gone or answered. */
  async read({ eventId, actionId }: { readonly eventId: Uuid; readonly actionId: Uuid }): Promise<PostedEvent> {
    const [row] = await this.database.query<EventRow>(sql`
      select id, type, tracking_id as "trackingId", created_at as "createdAt", updated_at as "updatedAt",
             array(select actions from event_history where event_seq = event.seq order by position) as actions
        from event where id = ${eventId}`);
    if (row === undefined) return 'not pending';
    const actions = postedActions(
      row.actions.flatMap((list) => JSON.parse(list) as StoredAction[]),
      actionId,
    );
    return actions === undefined ? 'not pending' : { body: Buffer.from(JSON.stringify({ ...row, actions })) };
  }
}

/**
 * The actions without the requests after this one that still wait: a country configuration looks for the one that is
 * not answered. Undefined if this one is answered, or is not there.
 */
export function postedActions<A extends StoredAction>(actions: readonly A[], actionId: Uuid): readonly A[] | undefined {
  const answered = new Set(actions.map(({ originalActionId }) => originalActionId));
  const at = actions.findIndex(({ id, status }) => id === actionId && status === 'Requested');
  if (at === -1 || answered.has(actionId)) return undefined;
  return actions.filter(({ id, status }, place) => place <= at || status !== 'Requested' || answered.has(id));
}
