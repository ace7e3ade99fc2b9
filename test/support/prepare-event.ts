import { atOnce } from '../../src/database/time-slice.js';
import type { PreparedEvent } from '../../src/records/prepare-event.js';
import { prepareEventSteps } from '../../src/records/prepare-event.js';

/** `prepareEventSteps` at once. */
export const prepareEvent = (...given: Parameters<typeof prepareEventSteps>): PreparedEvent =>
  atOnce(prepareEventSteps(...given));
