import type { PotentialDuplicate } from '../../domain/record/event-record.js';
import { type Case, type Outcome, waitInQueue } from './case.js';
import { drawCorrection } from './draw-correction.js';

const BACKLOG = 0.4;
const REJECTED = 0.05;
const VALIDATED_BY_AN_AGENT = 0.06;
const ARCHIVED = 0.012;
const READ = 0.12;
const NEVER_COMPARED = 0.12;

const REASONS_TO_REJECT = [
  'The name of the mother does not match her identity card',
  'Proof of birth is not readable',
  'La date ne correspond pas au certificat',
  'Faltan documentos del padre',
  'Signature missing',
];
const REASONS_TO_ARCHIVE = ['Declared on paper already', 'Withdrawn by the informant'];
const DUPLICATE = 'Duplicate of an older record';

/** What the registry makes of a declaration before it is registered. */
export function review(one: Case): Outcome {
  const { log, prng, agent, registrar, duplicateOf } = one;
  if (duplicateOf !== undefined && reviewDuplicate(one, duplicateOf) === 'rests') return 'rests';
  // Whoever declares at the registry registers at once.
  if (one.vital.channel === 'registry') return 'goes on';

  if (prng.chance(VALIDATED_BY_AN_AGENT)) {
    log.minutesPass(5, 90);
    log.complete(agent, { type: 'CUSTOM', customActionType: 'VALIDATE_DECLARATION' });
  }
  waitInQueue(one, BACKLOG);
  if (prng.chance(READ)) log.take(registrar, { type: 'READ' });
  if (prng.chance(ARCHIVED)) {
    log.complete(registrar, { type: 'ARCHIVE', content: { reason: prng.pick(REASONS_TO_ARCHIVE) } });
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

/** The declaration goes back; mostly it is mended and declared again. */
function reject(one: Case): Outcome {
  const { log, prng, vital, agent, registrar } = one;
  log.assigned(registrar, () => {
    log.complete(registrar, { type: 'REJECT', content: { reason: prng.pick(REASONS_TO_REJECT) } });
  });
  log.daysPass(2, 40);
  const fate = prng.unit();
  if (fate < 0.08) return 'rests';
  if (fate < 0.3) {
    log.complete(registrar, { type: 'ARCHIVE', content: { reason: prng.pick(REASONS_TO_ARCHIVE) } });
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
