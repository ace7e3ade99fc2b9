import { Faults } from '../../kernel/errors/faults.js';
import type { VerifyUserDto } from './recovery.dto.js';
import type { RecoveryRequest } from './recovery-requests.js';

/** Throws 400 unless the body names one address or number, and one flow. */
export function recoveryRequestOf({
  email,
  mobile,
  retrieveFlow,
  retrievalFlow,
}: VerifyUserDto): Omit<RecoveryRequest, 'address'> {
  const faults = new Faults();
  const flow = retrieveFlow ?? retrievalFlow;
  if ((email === undefined) === (mobile === undefined)) faults.add('', 'must have either email or mobile');
  if (flow === undefined) faults.add('retrieveFlow', 'is required');
  else if (retrievalFlow !== undefined && retrievalFlow !== flow) {
    faults.add('retrievalFlow', 'must be the same as retrieveFlow');
  }
  faults.throwIfAny();
  const by = email === undefined ? { mobile: mobile ?? '' } : { email };
  return { by, flow: flow ?? 'password' };
}
