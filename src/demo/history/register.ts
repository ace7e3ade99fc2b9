import type { Official } from '../officials.js';
import type { Case, Outcome } from './case.js';

const VALIDATED_OUTSIDE = 0.14;
const NEVER_ANSWERED = 0.02;
const REFUSED = 0.2;
const GIVEN_UP_AFTER_REFUSAL = 0.15;

/** Registration: mostly accepted at once, sometimes only when another system has validated it. */
export function register(one: Case): Outcome {
  const { log, prng, vital, registrar } = one;
  if (!prng.chance(VALIDATED_OUTSIDE)) return registerAtOnce(one, registrar);

  const { validationSystem, nationalRegistrars } = vital.ward;
  const request = log.request(registrar, { type: 'REGISTER' });
  if (prng.chance(NEVER_ANSWERED)) return 'rests';
  if (prng.chance(0.7)) log.minutesPass(2, 300);
  else log.daysPass(1, 6);
  if (!prng.chance(REFUSED)) {
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
