import { DAY_MS } from '../src/kernel/domain/calendar.js';
import type { ActionStatus, ActionType, DeclarationChange } from '../src/kernel/domain/event-action.js';
import type { Uuid } from '../src/kernel/domain/uuid.js';
import { listOf } from './data.js';
import { instantOf, YEAR_MS } from './day.js';
import type { DemoAction } from './demo-line.js';
import { drawFile, drawFileOptions, drawPhone, withTypingError } from './person.js';
import type { Official } from './places.js';
import { drawUuid, type Prng } from './prng.js';
import type { RecordKeys } from './record-keys.js';
import type { Entry, Vital } from './vital.js';

/** The members of an action beside its author and time. */
type Details = Partial<
  Omit<DemoAction, 'id' | 'type' | 'status' | 'createdAt' | 'createdBy' | 'createdByUserType' | 'createdAtLocation'>
>;

/** The actions of an event in order. Those after `endMs` are dropped, so that events are found at any stage. */
class ActionLog {
  readonly actions: DemoAction[] = [];
  /** Some histories have separate requests and assignments. */
  private readonly keepsRequests: boolean;
  private readonly keepsAssignments: boolean;

  constructor(
    private readonly prng: Prng,
    private atMs: number,
    private readonly endMs: number,
  ) {
    this.keepsRequests = prng.chance(0.3);
    this.keepsAssignments = prng.chance(0.3);
  }

  get year(): number {
    return new Date(this.atMs).getUTCFullYear();
  }

  daysPass(least: number, most: number): void {
    this.atMs += (least + this.prng.unit() * (most - least)) * DAY_MS;
  }

  /** Mostly days, sometimes months. At the end of the data the share `backlog` is not done yet, earlier ever less. */
  waitInQueue(backlog: number): void {
    const daysLeft = (this.endMs - this.atMs) / DAY_MS;
    if (this.prng.chance(backlog * Math.exp(-daysLeft / 120))) this.atMs = this.endMs;
    else if (this.prng.chance(0.1)) this.daysPass(20, 160);
    else this.daysPass(1, 12);
  }

  /** Returns its id. */
  take(by: Official, type: ActionType, details: Details = {}, status: ActionStatus = 'Accepted'): Uuid {
    const id = drawUuid(this.prng);
    // Distinct times, so that time order is list order.
    this.atMs = Math.floor(this.atMs) + this.prng.between(40, 900);
    if (this.atMs > this.endMs) return id;
    this.actions.push({
      id,
      transactionId: drawUuid(this.prng),
      type,
      declaration: {},
      ...details,
      status,
      createdAt: instantOf(this.atMs),
      createdBy: by.id,
      createdByUserType: by.userType,
      ...(by.role !== undefined && { createdByRole: by.role }),
      createdAtLocation: by.location,
    });
    return id;
  }

  /** Requested and accepted at once; returns the id of the acceptance. */
  complete(by: Official, type: ActionType, details: Details = {}, accepted: Details = {}): Uuid {
    if (!this.keepsRequests) return this.take(by, type, { ...details, ...accepted });
    const originalActionId = this.take(by, type, details, 'Requested');
    const { content, requestId, customActionType } = details;
    const both = {
      ...(content && { content }),
      ...(requestId && { requestId }),
      ...(customActionType && { customActionType }),
    };
    return this.take(by, type, { ...both, ...accepted, originalActionId });
  }

  /** Assigns the event, performs the work and unassigns it. */
  assigned<T>(to: Official, work: () => T): T {
    if (this.keepsAssignments) this.take(to, 'ASSIGN', { assignedTo: to.id });
    const result = work();
    if (this.keepsAssignments) this.take(to, 'UNASSIGN');
    return result;
  }
}

/** An event in progress, and its officials. */
interface Case extends Entry {
  readonly log: ActionLog;
  readonly prng: Prng;
  readonly keys: RecordKeys;
  readonly agent: Official;
  readonly registrar: Official;
}

/** Whether the case continues after a step. */
type Outcome = 'goes on' | 'rests';

/** A respelled name, a replaced telephone number, or a removed value. */
function drawCorrection(prng: Prng, { declared, nameField }: Vital): DeclarationChange {
  const kind = prng.unit();
  if (kind < 0.2 && 'informant.email' in declared) return { 'informant.email': null };
  if (kind < 0.5 && 'informant.phoneNo' in declared) return { 'informant.phoneNo': drawPhone(prng) };
  const name = declared[nameField];
  if (typeof name !== 'object' || !('firstname' in name) || typeof name.firstname !== 'string') return {};
  return { [nameField]: { firstname: withTypingError(prng, name.firstname) } };
}

const COMMENTS = listOf('comments');
const REASONS_TO_ARCHIVE = listOf('reasonsToArchive');

/** Until the declaration, perhaps by way of a notification. */
function declare(one: Case): Outcome {
  const { log, prng, vital, agent, registrar } = one;
  const { ward, channel, notified, declared } = vital;
  const review = { 'review.signature': drawFile(prng, 'signatures'), 'review.comment': prng.pick(COMMENTS) };
  if (channel === 'office' || channel === 'registry') {
    const declarer = channel === 'registry' ? registrar : agent;
    log.take(declarer, 'CREATE');
    if (prng.chance(0.008)) return 'rests';
    // The informant must bring a missing paper.
    if (prng.chance(0.1)) log.waitInQueue(0.6);
    log.assigned(declarer, () => log.complete(declarer, 'DECLARE', { declaration: declared, annotation: review }));
    return 'goes on';
  }
  const notifier = channel === 'facility' ? ward.facilitySystem : prng.pick(ward.fieldNotifiers);
  log.take(notifier, 'CREATE');
  log.complete(notifier, 'NOTIFY', { declaration: notified });
  if (prng.chance(0.03)) {
    log.daysPass(90, 300);
    log.complete(agent, 'ARCHIVE', { content: { reason: prng.pick(REASONS_TO_ARCHIVE) } });
    return 'rests';
  }
  log.waitInQueue(0.8);
  log.assigned(agent, () => {
    log.complete(agent, 'EDIT', { content: { comment: prng.pick(COMMENTS) }, declaration: declared });
    log.complete(agent, 'DECLARE', { annotation: review });
  });
  return 'goes on';
}

/** Mostly immediate, sometimes after validation by another system. */
function register(one: Case): Outcome {
  const { log, prng, keys, vital, registrar } = one;
  const { validationSystem, nationalRegistrars } = vital.ward;
  const numbered = (): Details => ({ registrationNumber: keys.registrationNumber(vital.type, log.year) });
  const atOnce = (by: Official): Outcome => {
    log.assigned(by, () => log.complete(by, 'REGISTER', {}, numbered()));
    return 'goes on';
  };
  if (!prng.chance(0.14)) return atOnce(registrar);
  const originalActionId = log.take(registrar, 'REGISTER', {}, 'Requested');
  if (prng.chance(0.02)) return 'rests';
  log.daysPass(0, 6);
  if (!prng.chance(0.2)) {
    log.take(validationSystem, 'REGISTER', { originalActionId, ...numbered() });
    return 'goes on';
  }
  log.take(validationSystem, 'REGISTER', { originalActionId }, 'Rejected');
  if (prng.chance(0.15)) return 'rests';
  log.daysPass(3, 60);
  return atOnce(prng.pick(nationalRegistrars));
}

const BACKLOG = 0.4;
const REASONS_TO_REJECT = listOf('reasonsToReject');

function review(one: Case): Outcome {
  const { log, prng, vital, agent, registrar, duplicateOf } = one;
  if (duplicateOf !== undefined) {
    log.take(agent, 'DUPLICATE_DETECTED', { content: { duplicates: [duplicateOf] } });
    log.waitInQueue(BACKLOG);
    if (prng.chance(0.12)) return 'rests';
    log.take(registrar, 'READ');
    if (prng.chance(0.65)) {
      log.complete(registrar, 'MARK_AS_DUPLICATE', { content: { duplicateOf: duplicateOf.id } });
      log.complete(registrar, 'ARCHIVE', { content: { reason: 'Duplicate of an older record' } });
      return 'rests';
    }
    log.complete(registrar, 'MARK_AS_NOT_DUPLICATE');
  }
  // Declarations at the registry are registered at once.
  if (vital.channel === 'registry') return 'goes on';
  if (prng.chance(0.06)) log.complete(agent, 'CUSTOM', { customActionType: 'VALIDATE_DECLARATION' });
  log.waitInQueue(BACKLOG);
  if (prng.chance(0.12)) log.take(registrar, 'READ');
  if (!prng.chance(0.05)) return 'goes on';
  log.assigned(registrar, () =>
    log.complete(registrar, 'REJECT', { content: { reason: prng.pick(REASONS_TO_REJECT) } }),
  );
  log.daysPass(2, 40);
  if (prng.chance(0.3)) {
    log.complete(registrar, 'ARCHIVE', { content: { reason: prng.pick(REASONS_TO_ARCHIVE) } });
    return 'rests';
  }
  log.assigned(agent, () => {
    const declaration = drawCorrection(prng, vital);
    log.complete(agent, 'EDIT', { content: { comment: prng.pick(COMMENTS) }, declaration });
    log.complete(agent, 'DECLARE', { declaration });
  });
  log.waitInQueue(BACKLOG);
  return 'goes on';
}

const [COLLECTORS, PROOFS_OF_ERROR] = [listOf('collectors'), listOf('proofsOfError')];
const [REASONS_TO_CORRECT, REASONS_TO_REFUSE] = [listOf('reasonsToCorrect'), listOf('reasonsToRefuse')];

/** Certificates, corrections, and sometimes a seal. */
function liveOn(one: Case): void {
  const { log, prng, registrar, vital } = one;
  if (prng.chance(0.66)) print(one, 'certificate', 45);
  if (prng.chance(0.08)) {
    log.daysPass(10, 700);
    log.take(registrar, 'READ');
  }
  if (prng.chance(0.06) && correct(one) === 'rests') return;
  if (prng.chance(0.08)) print(one, 'certified-copy', 1_200);
  if (prng.chance(0.006)) {
    log.daysPass(5, 400);
    const content = { reason: 'Order of the court' };
    log.complete(prng.pick(vital.ward.nationalRegistrars), 'CUSTOM', { customActionType: 'SEAL', content });
  }
}

function print(
  { log, prng, vital, registrar }: Case,
  kind: 'certificate' | 'certified-copy',
  withinDays: number,
): void {
  log.daysPass(0, withinDays);
  const annotation = { 'collector.requesterId': prng.pickByRank(COLLECTORS), 'collector.identityVerified': true };
  const content = { templateId: `${vital.type}-${kind}` };
  log.assigned(registrar, () => log.complete(registrar, 'PRINT_CERTIFICATE', { content, annotation }));
}

/** Approved, refused, or pending. */
function correct({ log, prng, vital, agent, registrar }: Case): Outcome {
  log.daysPass(20, 900);
  const requested = {
    declaration: drawCorrection(prng, vital),
    annotation: {
      'correction.reason': prng.pickByRank(REASONS_TO_CORRECT),
      'correction.documents': drawFileOptions(prng, 'corrections', PROOFS_OF_ERROR),
    },
  };
  const requestId = log.assigned(agent, () => log.complete(agent, 'REQUEST_CORRECTION', requested));
  if (prng.chance(0.08)) return 'rests';
  log.daysPass(1, 60);
  const refusal = prng.chance(0.25) ? { content: { reason: prng.pick(REASONS_TO_REFUSE) } } : undefined;
  const answer = refusal === undefined ? 'APPROVE_CORRECTION' : 'REJECT_CORRECTION';
  log.assigned(registrar, () => log.complete(registrar, answer, { requestId, ...refusal }));
  return 'goes on';
}

/** Oldest first, at least one, until `endMs`. */
export function writeHistory(prng: Prng, entry: Entry, keys: RecordKeys, endMs: number): readonly DemoAction[] {
  const { ward, arrivedMs, happenedMs } = entry.vital;
  const isEscalated = arrivedMs - happenedMs > YEAR_MS && prng.chance(0.3);
  const log = new ActionLog(prng, arrivedMs, endMs);
  const registrar = prng.pick(isEscalated ? ward.nationalRegistrars : ward.registrars);
  const one = { ...entry, log, prng, keys, agent: prng.pick(ward.agents), registrar };
  if (declare(one) === 'goes on' && review(one) === 'goes on' && register(one) === 'goes on') liveOn(one);
  return log.actions;
}
