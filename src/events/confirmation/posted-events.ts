import { Injectable } from '@nestjs/common';

import { jsonInSlices } from '../../platform/queue/json-in-slices.js';
import { TimeSlice } from '../../platform/queue/time-slice.js';
import { Database } from '../../platform/database/pools/database.js';
import type { EventAction } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { actionLists, STORED_ACTIONS } from '../records/stored-events.js';
import { WholeEvents } from '../records/whole-events.js';
import { sql } from '../../kernel/sql/sql.js';

type StoredAction = Pick<EventAction, 'id' | 'status'> & { readonly originalActionId?: Uuid };

interface EventRow {
  readonly id: Uuid;
  readonly type: string;
  readonly trackingId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly actions: string | null;
}

/** In whose turns it is read. */
const CLIENT = 'country configuration';

export type PostedEvent = { readonly body: Buffer } | 'not pending';

/** Reads what is posted to the country configuration: the whole event document, as it is when it is posted. */
@Injectable()
export class PostedEvents {
  constructor(
    private readonly database: Database,
    private readonly events: WholeEvents,
  ) {}

  /** The event with what has happened to it; `not pending` if it, or the request, is gone or answered. */
  read(asked: { readonly eventId: Uuid; readonly actionId: Uuid }): Promise<PostedEvent> {
    return this.events.reading([asked.eventId], { client: CLIENT }, () => this.posted(asked));
  }

  private async posted({
    eventId,
    actionId,
  }: {
    readonly eventId: Uuid;
    readonly actionId: Uuid;
  }): Promise<PostedEvent> {
    const [row] = await this.database.query<EventRow>(sql`
      select id, type, tracking_id as "trackingId", created_at as "createdAt", updated_at as "updatedAt",
             ${STORED_ACTIONS} as actions
        from event where id = ${eventId}`);
    if (row === undefined) return 'not pending';
    const actions = postedActions(await parsedActions(row.actions), actionId);
    return actions === undefined ? 'not pending' : { body: await jsonInSlices({ ...row, actions }) };
  }
}

/** Others have their turns between two lists. */
async function parsedActions(stored: string | null): Promise<readonly StoredAction[]> {
  const actions: StoredAction[] = [];
  const slice = new TimeSlice();
  for (const list of actionLists(stored)) {
    for (const action of JSON.parse(list) as StoredAction[]) actions.push(action);
    if (slice.isOver) await slice.next();
  }
  return actions;
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
