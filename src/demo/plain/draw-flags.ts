import type { EventFlag } from '../../domain/record/event-flag.js';
import { YEAR_MS } from '../day.js';
import type { Entry } from '../events/entry.js';
import type { Prng } from '../prng.js';
import type { Stages } from './draw-stages.js';

/** The flags of a record: outcomes of actions, the inherent ones, and the country's own (interface, Flags). */
export function drawFlags(prng: Prng, { vital, duplicateOf }: Entry, { status }: Stages): EventFlag[] {
  const flags: EventFlag[] = [];
  const now = (share: number, ...raised: EventFlag[]): void => {
    if (prng.chance(share)) flags.push(...raised);
  };

  switch (status) {
    case 'CREATED':
    case 'REVOKED':
      break;
    case 'NOTIFIED':
      now(1, 'incomplete');
      break;
    case 'DECLARED':
      now(0.2, 'register:requested');
      now(0.08, 'register:rejected');
      now(0.12, 'rejected');
      now(0.1, 'edit-in-progress');
      if (duplicateOf !== undefined) flags.push('potential-duplicate');
      break;
    case 'REGISTERED':
      now(0.02, 'correction-requested');
      now(0.01, 'print_certificate:rejected');
      now(0.02, 'sealed');
      now(0.3, 'certified');
      break;
    case 'ARCHIVED':
      now(0.1, 'rejected');
      break;
  }

  if (vital.arrivedMs - vital.happenedMs > YEAR_MS) flags.push('late-registration');
  now(0.25, 'paper-register');
  return flags;
}
