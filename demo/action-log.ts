import { DAY_MS, HOUR_MS } from '../src/kernel/domain/calendar.js';
import type { ActionStatus } from '../src/kernel/domain/event-action.js';
import type { Uuid } from '../src/kernel/domain/uuid.js';
import type { Official } from './country.js';
import { instantOf, isSunday, startOfDayMs } from './day.js';
import type { DemoAction } from './demo-line.js';
import type { Entry } from './entry.js';
import { drawUuid, type Prng } from './prng.js';
import type { RecordKeys } from './record-keys.js';

/** Histories that keep the request of an action beside its acceptance, and who was assigned in between. */
const REQUESTS_KEPT = 0.3;
const ASSIGNMENTS_KEPT = 0.3;

/** What an action says beyond who took it, when, and with what outcome. */
type ActionEntry = Pick<DemoAction, 'type'> &
  Partial<
    Pick<
      DemoAction,
      | 'declaration'
      | 'annotation'
      | 'originalActionId'
      | 'assignedTo'
      | 'registrationNumber'
      | 'requestId'
      | 'customActionType'
      | 'content'
    >
  >;

/**
 * The actions of an event as they are taken, one after the other. A history is told to its end; what would happen after
 * `endMs` is left out, so that an event is found in the middle of its life as often as in a real registry.
 */
export class ActionLog {
  readonly actions: DemoAction[] = [];
  private readonly keepsRequests: boolean;
  private readonly keepsAssignments: boolean;

  constructor(
    private readonly prng: Prng,
    private atMs: number,
    private readonly endMs: number,
  ) {
    this.keepsRequests = prng.chance(REQUESTS_KEPT);
    this.keepsAssignments = prng.chance(ASSIGNMENTS_KEPT);
  }

  get nowMs(): number {
    return this.atMs;
  }

  minutesPass(least: number, most: number): void {
    this.atMs += (least + this.prng.unit() * (most - least)) * 60_000;
  }

  /** At least one day; it goes on in the working hours of a day that is no Sunday. */
  daysPass(least: number, most: number): void {
    const dayMs = startOfDayMs(this.atMs) + this.prng.between(least, most) * DAY_MS;
    this.atMs = (isSunday(dayMs) ? dayMs + DAY_MS : dayMs) + 7 * HOUR_MS + this.prng.unit() * 10 * HOUR_MS;
  }

  /** An action that nobody has to confirm; yields its id. */
  take(by: Official, entry: ActionEntry): Uuid {
    return this.append(by, 'Accepted', drawUuid(this.prng), entry);
  }

  /** An action that waits for an answer; yields its id. */
  request(by: Official, entry: ActionEntry): Uuid {
    return this.append(by, 'Requested', drawUuid(this.prng), entry);
  }

  /** Accepts or rejects the request of that id; yields the id of the answer. */
  answer(by: Official, status: 'Accepted' | 'Rejected', originalActionId: Uuid, entry: ActionEntry): Uuid {
    return this.append(by, status, drawUuid(this.prng), { ...entry, originalActionId });
  }

  /**
   * An action that is asked for and accepted at once; yields the id of the acceptance. `entry` belongs to both. Many
   * offices keep the acceptance alone, with all that was asked for in it.
   */
  complete(
    by: Official,
    entry: ActionEntry,
    asked: Pick<ActionEntry, 'declaration' | 'annotation'> = {},
    accepted: Pick<ActionEntry, 'registrationNumber'> = {},
  ): Uuid {
    const transactionId = drawUuid(this.prng);
    if (!this.keepsRequests) return this.append(by, 'Accepted', transactionId, { ...entry, ...asked, ...accepted });
    const originalActionId = this.append(by, 'Requested', transactionId, { ...entry, ...asked });
    return this.append(by, 'Accepted', transactionId, { ...entry, ...accepted, originalActionId });
  }

  /** Somebody takes the event, works on it for some minutes, and hands it back; yields what the work yields. */
  assigned<T>(to: Official, work: () => T): T {
    if (this.keepsAssignments) this.take(to, { type: 'ASSIGN', assignedTo: to.id });
    this.minutesPass(1, 8);
    const result = work();
    this.minutesPass(0.1, 1);
    if (this.keepsAssignments) this.take(to, { type: 'UNASSIGN' });
    return result;
  }

  private append(by: Official, status: ActionStatus, transactionId: Uuid, entry: ActionEntry): Uuid {
    const id = drawUuid(this.prng);
    // No two actions of an event share their moment: the order of time is the order of the list.
    this.atMs = Math.floor(this.atMs) + this.prng.between(40, 900);
    if (this.atMs > this.endMs) return id;
    this.actions.push({
      id,
      transactionId,
      ...entry,
      declaration: entry.declaration ?? {},
      status,
      createdAt: instantOf(this.atMs),
      createdBy: by.id,
      createdByUserType: by.userType,
      ...(by.role === undefined ? {} : { createdByRole: by.role }),
      createdAtLocation: by.location,
    });
    return id;
  }
}

/** An event on its way through the offices, and who works on it. */
export interface Case extends Entry {
  readonly log: ActionLog;
  readonly prng: Prng;
  readonly keys: RecordKeys;
  readonly agent: Official;
  readonly registrar: Official;
  readonly endMs: number;
}

/** What every step of a case yields: whether the case goes on after it. */
export type Outcome = 'goes on' | 'rests';

/** How soon the backlog fades that lies behind the offices at the end of the data. */
const BACKLOG_DAYS = 120;
/** Long enough to lie beyond the end of the data. */
const NOT_YET_DAYS = 1_500;

/**
 * The case lies in somebody's queue: mostly for days, now and then for months. Of the cases that come in at the very
 * end of the data, the share `backlog` is simply not done yet; of earlier ones fewer and fewer.
 */
export function waitInQueue({ log, prng, endMs }: Case, backlog: number): void {
  const daysLeft = (endMs - log.nowMs) / DAY_MS;
  if (prng.chance(backlog * Math.exp(-daysLeft / BACKLOG_DAYS))) log.daysPass(NOT_YET_DAYS, NOT_YET_DAYS);
  else if (prng.chance(0.1)) log.daysPass(20, 160);
  else log.daysPass(1, 12);
}
