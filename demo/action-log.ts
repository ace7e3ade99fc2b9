import { DAY_MS, HOUR_MS } from '../src/kernel/domain/calendar.js';
import type { ActionStatus } from '../src/kernel/domain/event-action.js';
import type { Uuid } from '../src/kernel/domain/uuid.js';
import type { Official } from './country.js';
import { instantOf, isSunday, startOfDayMs } from './day.js';
import type { DemoAction } from './demo-line.js';
import type { Entry } from './entry.js';
import { drawUuid, type Prng } from './prng.js';
import type { RecordKeys } from './record-keys.js';

/** Share of histories with separate requests and assignments. */
const REQUESTS_KEPT = 0.3;
const ASSIGNMENTS_KEPT = 0.3;

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

/** The actions of an event in order. Those after `endMs` are dropped, so that events are found at any stage. */
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

  /** At least one day, to working hours, never a Sunday. */
  daysPass(least: number, most: number): void {
    const dayMs = startOfDayMs(this.atMs) + this.prng.between(least, most) * DAY_MS;
    this.atMs = (isSunday(dayMs) ? dayMs + DAY_MS : dayMs) + 7 * HOUR_MS + this.prng.unit() * 10 * HOUR_MS;
  }

  /** Returns its id. */
  take(by: Official, entry: ActionEntry): Uuid {
    return this.append(by, 'Accepted', drawUuid(this.prng), entry);
  }

  /** An action that waits for an answer; returns its id. */
  request(by: Official, entry: ActionEntry): Uuid {
    return this.append(by, 'Requested', drawUuid(this.prng), entry);
  }

  /** Returns the id of the answer. */
  answer(by: Official, status: 'Accepted' | 'Rejected', originalActionId: Uuid, entry: ActionEntry): Uuid {
    return this.append(by, status, drawUuid(this.prng), { ...entry, originalActionId });
  }

  /** Requested and accepted at once; returns the id of the acceptance. `entry` applies to both. */
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

  /** Assigns the event, performs the work and unassigns it. */
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
    // Distinct times, so that time order is list order.
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

/** An event in progress, and its officials. */
export interface Case extends Entry {
  readonly log: ActionLog;
  readonly prng: Prng;
  readonly keys: RecordKeys;
  readonly agent: Official;
  readonly registrar: Official;
  readonly endMs: number;
}

/** Whether the case continues after a step. */
export type Outcome = 'goes on' | 'rests';

/** How fast the backlog at the end of the data fades. */
const BACKLOG_DAYS = 120;
/** Beyond the end of the data. */
const NOT_YET_DAYS = 1_500;

/** Mostly days, sometimes months. At the end of the data the share `backlog` is not done yet, earlier ever less. */
export function waitInQueue({ log, prng, endMs }: Case, backlog: number): void {
  const daysLeft = (endMs - log.nowMs) / DAY_MS;
  if (prng.chance(backlog * Math.exp(-daysLeft / BACKLOG_DAYS))) log.daysPass(NOT_YET_DAYS, NOT_YET_DAYS);
  else if (prng.chance(0.1)) log.daysPass(20, 160);
  else log.daysPass(1, 12);
}
