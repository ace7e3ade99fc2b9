import { drawFileOptions } from '../people/file.js';
import type { Case, Outcome } from './case.js';
import { drawCorrection } from './draw-correction.js';

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

/** What becomes of a registered event: certificates, corrections, and now and then a seal. */
export function liveOn(one: Case): void {
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

/** A correction is asked for; it is approved, refused, or waits for an answer. */
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
