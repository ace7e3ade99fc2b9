import type { DeclarationChange } from '../src/kernel/domain/event-action.js';
import type { PotentialDuplicate } from '../src/kernel/domain/event-record.js';
import { ActionLog, type Case, type Outcome, waitInQueue } from './action-log.js';
import type { Official } from './country.js';
import { YEAR_MS } from './day.js';
import type { DemoAction } from './demo-line.js';
import type { Entry } from './entry.js';
import { drawFile, drawFileOptions, drawPhone, withTypingError } from './person.js';
import type { Prng } from './prng.js';
import type { RecordKeys } from './record-keys.js';
import type { Vital } from './vital.js';

/** In order of preference. */
const REMOVABLE = [
  'informant.email',
  'mother.occupation',
  'deceased.occupation',
  'groom.occupation',
  'bride.occupation',
];

/** A respelled name, a replaced telephone number, or a removed value. */
function drawCorrection(prng: Prng, { declared, nameField }: Vital): DeclarationChange {
  const kind = prng.unit();
  const removable = REMOVABLE.find((field) => field in declared);
  if (kind < 0.2 && removable !== undefined) return { [removable]: null };
  if (kind < 0.5 && 'informant.phoneNo' in declared) return { 'informant.phoneNo': drawPhone(prng) };
  const name = declared[nameField];
  if (typeof name === 'object' && 'firstname' in name && typeof name.firstname === 'string') {
    return { [nameField]: { firstname: withTypingError(prng, name.firstname) } };
  }
  return {};
}

const ABANDONED_DRAFTS = 0.008;
const DRAFT_BACKLOG = 0.6;
const NOTIFICATION_BACKLOG = 0.8;
const NEVER_FOLLOWED_UP = 0.03;

const COMMENTS = [
  'Parents interviewed at the post',
  'Documents seen',
  'Completed by phone',
  'Complété au bureau',
  'नाम जाँचिएको',
];
const REASONS_TO_ARCHIVE = ['Informant could not be found', 'Notified twice by the facility', 'Entered by mistake'];

/** Until the declaration, perhaps by way of a notification. */
function declare(one: Case): Outcome {
  switch (one.vital.channel) {
    case 'facility':
    case 'field':
      return declareAfterNotification(one);
    case 'office':
    case 'registry':
      return declareAtOnce(one);
  }
}

function declareAfterNotification(one: Case): Outcome {
  const { log, prng, vital, agent } = one;
  const { ward, notified, declared } = vital;
  if (vital.channel === 'facility') {
    log.take(ward.facilitySystem, { type: 'CREATE' });
    log.complete(ward.facilitySystem, { type: 'NOTIFY' }, { declaration: notified });
  } else {
    const notifier = prng.pick(ward.fieldNotifiers);
    log.take(notifier, { type: 'CREATE' });
    log.assigned(notifier, () => log.complete(notifier, { type: 'NOTIFY' }, { declaration: notified }));
  }

  if (prng.chance(NEVER_FOLLOWED_UP)) {
    log.daysPass(90, 300);
    log.complete(agent, { type: 'ARCHIVE', content: { reason: prng.pick(REASONS_TO_ARCHIVE) } });
    return 'rests';
  }
  waitInQueue(one, NOTIFICATION_BACKLOG);
  log.assigned(agent, () => {
    log.complete(agent, { type: 'EDIT', content: { comment: prng.pick(COMMENTS) } }, { declaration: declared });
    log.complete(agent, { type: 'DECLARE' }, { annotation: drawReview(one) });
  });
  return 'goes on';
}

function declareAtOnce(one: Case): Outcome {
  const { log, prng, vital, agent, registrar } = one;
  const declarer = vital.channel === 'registry' ? registrar : agent;
  log.take(declarer, { type: 'CREATE' });
  if (prng.chance(ABANDONED_DRAFTS)) return 'rests';
  // The informant must bring a missing paper.
  if (prng.chance(0.1)) waitInQueue(one, DRAFT_BACKLOG);
  log.assigned(declarer, () => {
    log.complete(declarer, { type: 'DECLARE' }, { declaration: vital.declared, annotation: drawReview(one) });
  });
  return 'goes on';
}

function drawReview({ prng }: Case): DeclarationChange {
  const signed = { 'review.signature': drawFile(prng, 'signatures') };
  return prng.chance(0.3) ? { ...signed, 'review.comment': prng.pick(COMMENTS) } : signed;
}

const VALIDATED_OUTSIDE = 0.14;
const VALIDATION_NEVER_ANSWERED = 0.02;
const VALIDATION_REFUSED = 0.2;
const GIVEN_UP_AFTER_REFUSAL = 0.15;

/** Mostly immediate, sometimes after validation by another system. */
function register(one: Case): Outcome {
  const { log, prng, vital, registrar } = one;
  if (!prng.chance(VALIDATED_OUTSIDE)) return registerAtOnce(one, registrar);

  const { validationSystem, nationalRegistrars } = vital.ward;
  const request = log.request(registrar, { type: 'REGISTER' });
  if (prng.chance(VALIDATION_NEVER_ANSWERED)) return 'rests';
  if (prng.chance(0.7)) log.minutesPass(2, 300);
  else log.daysPass(1, 6);
  if (!prng.chance(VALIDATION_REFUSED)) {
    log.answer(validationSystem, 'Accepted', request, { type: 'REGISTER', registrationNumber: numberNow(one) });
    return 'goes on';
  }

  log.answer(validationSystem, 'Rejected', request, { type: 'REGISTER' });
  if (prng.chance(GIVEN_UP_AFTER_REFUSAL)) return 'rests';
  log.daysPass(3, 60);
  return registerAtOnce(one, prng.pick(nationalRegistrars));
}

function registerAtOnce(one: Case, registrar: Official): Outcome {
  const { log } = one;
  log.assigned(registrar, () => {
    log.complete(registrar, { type: 'REGISTER' }, {}, { registrationNumber: numberNow(one) });
  });
  return 'goes on';
}

const numberNow = ({ log, keys, vital }: Case): string =>
  keys.registrationNumber(vital.type, new Date(log.nowMs).getUTCFullYear());

const BACKLOG = 0.4;
const REJECTED = 0.05;
const VALIDATED_BY_AN_AGENT = 0.06;
const ARCHIVED = 0.012;
const READ_IN_REVIEW = 0.12;
const NEVER_COMPARED = 0.12;

const REASONS_TO_REJECT = [
  'The name of the mother does not match her identity card',
  'Proof of birth is not readable',
  'La date ne correspond pas au certificat',
  'Faltan documentos del padre',
  'Signature missing',
];
const REASONS_TO_WITHDRAW = ['Declared on paper already', 'Withdrawn by the informant'];
const DUPLICATE = 'Duplicate of an older record';

function review(one: Case): Outcome {
  const { log, prng, agent, registrar, duplicateOf } = one;
  if (duplicateOf !== undefined && reviewDuplicate(one, duplicateOf) === 'rests') return 'rests';
  // Declarations at the registry are registered at once.
  if (one.vital.channel === 'registry') return 'goes on';

  if (prng.chance(VALIDATED_BY_AN_AGENT)) {
    log.minutesPass(5, 90);
    log.complete(agent, { type: 'CUSTOM', customActionType: 'VALIDATE_DECLARATION' });
  }
  waitInQueue(one, BACKLOG);
  if (prng.chance(READ_IN_REVIEW)) log.take(registrar, { type: 'READ' });
  if (prng.chance(ARCHIVED)) {
    log.complete(registrar, { type: 'ARCHIVE', content: { reason: prng.pick(REASONS_TO_WITHDRAW) } });
    return 'rests';
  }
  return prng.chance(REJECTED) ? reject(one) : 'goes on';
}

function reviewDuplicate(one: Case, duplicate: PotentialDuplicate): Outcome {
  const { log, prng, agent, registrar } = one;
  log.take(agent, { type: 'DUPLICATE_DETECTED', content: { duplicates: [duplicate] } });
  waitInQueue(one, BACKLOG);
  if (prng.chance(NEVER_COMPARED)) return 'rests';
  const isDuplicate = prng.chance(0.65);
  log.assigned(registrar, () => {
    log.take(registrar, { type: 'READ' });
    if (isDuplicate) {
      log.complete(registrar, { type: 'MARK_AS_DUPLICATE', content: { duplicateOf: duplicate.id } });
      log.complete(registrar, { type: 'ARCHIVE', content: { reason: DUPLICATE } });
    } else {
      log.complete(registrar, { type: 'MARK_AS_NOT_DUPLICATE' });
    }
  });
  return isDuplicate ? 'rests' : 'goes on';
}

/** Mostly followed by a corrected declaration. */
function reject(one: Case): Outcome {
  const { log, prng, vital, agent, registrar } = one;
  log.assigned(registrar, () => {
    log.complete(registrar, { type: 'REJECT', content: { reason: prng.pick(REASONS_TO_REJECT) } });
  });
  log.daysPass(2, 40);
  const fate = prng.unit();
  if (fate < 0.08) return 'rests';
  if (fate < 0.3) {
    log.complete(registrar, { type: 'ARCHIVE', content: { reason: prng.pick(REASONS_TO_WITHDRAW) } });
    return 'rests';
  }
  log.assigned(agent, () => {
    const declaration = drawCorrection(prng, vital);
    log.complete(agent, { type: 'EDIT', content: { comment: 'Mended as asked' } }, { declaration });
    log.complete(agent, { type: 'DECLARE' }, { declaration });
  });
  waitInQueue(one, BACKLOG);
  return 'goes on';
}

const PRINTED = 0.66;
const PRINTED_ONCE_MORE = 0.08;
const CORRECTED = 0.06;
const READ = 0.08;
const REFUSED = 0.25;
const NEVER_ANSWERED = 0.08;
const SEALED = 0.006;

const REASONS_TO_CORRECT = ['CLERICAL_ERROR', 'MATERIAL_ERROR', 'COURT_ORDER', 'MATERIAL_OMISSION'];
const REASONS_TO_REFUSE = ['No supporting document', 'The court order is for another person', 'Déjà corrigé'];
const COLLECTORS = ['INFORMANT', 'MOTHER', 'FATHER', 'SPOUSE', 'OTHER'];

/** Certificates, corrections, and sometimes a seal. */
function liveOn(one: Case): void {
  const { log, prng, registrar, vital } = one;
  if (prng.chance(PRINTED)) {
    if (prng.chance(0.4)) log.minutesPass(5, 60);
    else log.daysPass(1, 45);
    print(one, 'certificate');
  }
  if (prng.chance(READ)) {
    log.daysPass(10, 700);
    log.take(registrar, { type: 'READ' });
  }
  if (prng.chance(CORRECTED) && correct(one) === 'rests') return;
  if (prng.chance(PRINTED_ONCE_MORE)) {
    log.daysPass(100, 1_200);
    print(one, 'certified-copy');
  }
  if (prng.chance(SEALED)) {
    log.daysPass(5, 400);
    const sealer = prng.pick(vital.ward.nationalRegistrars);
    log.complete(sealer, { type: 'CUSTOM', customActionType: 'SEAL', content: { reason: 'Order of the court' } });
  }
}

function print(one: Case, kind: 'certificate' | 'certified-copy'): void {
  const { log, prng, vital, registrar } = one;
  const annotation = { 'collector.requesterId': prng.pickByRank(COLLECTORS), 'collector.identityVerified': true };
  log.assigned(registrar, () => {
    log.complete(
      registrar,
      { type: 'PRINT_CERTIFICATE', content: { templateId: `${vital.type}-${kind}` } },
      { annotation },
    );
  });
}

/** Approved, refused, or pending. */
function correct(one: Case): Outcome {
  const { log, prng, vital, agent, registrar } = one;
  log.daysPass(20, 900);
  const requested = {
    declaration: drawCorrection(prng, vital),
    annotation: {
      'correction.reason': prng.pickByRank(REASONS_TO_CORRECT),
      'correction.documents': drawFileOptions(prng, 'corrections', ['AFFIDAVIT', 'COURT_DOCUMENT', 'OTHER']),
    },
  };
  const requestId = log.assigned(agent, () => log.complete(agent, { type: 'REQUEST_CORRECTION' }, requested));
  if (prng.chance(NEVER_ANSWERED)) return 'rests';

  log.daysPass(1, 60);
  if (prng.chance(REFUSED)) {
    const content = { reason: prng.pick(REASONS_TO_REFUSE) };
    log.assigned(registrar, () => log.complete(registrar, { type: 'REJECT_CORRECTION', requestId, content }));
    return 'goes on';
  }
  log.assigned(registrar, () => log.complete(registrar, { type: 'APPROVE_CORRECTION', requestId }));
  if (prng.chance(0.5)) print(one, 'certificate');
  return 'goes on';
}

/** Share of late registrations escalated to the national office. */
const TAKEN_ON = 0.3;

/** Oldest first, at least one, until `endMs`. */
export function writeHistory(prng: Prng, entry: Entry, keys: RecordKeys, endMs: number): readonly DemoAction[] {
  const { ward, arrivedMs, happenedMs } = entry.vital;
  const isLate = arrivedMs - happenedMs > YEAR_MS;
  const log = new ActionLog(prng, arrivedMs, endMs);
  const one = {
    ...entry,
    log,
    prng,
    keys,
    agent: prng.pick(ward.agents),
    registrar: prng.pick(isLate && prng.chance(TAKEN_ON) ? ward.nationalRegistrars : ward.registrars),
    endMs,
  };
  if (declare(one) === 'goes on' && review(one) === 'goes on' && register(one) === 'goes on') liveOn(one);
  return log.actions;
}
