import { atOnce } from '../../src/platform/queue/time-slice.js';
import { type PreparedEvent, prepareEventSteps } from '../../src/events/records/event-change.js';

/** `prepareEventSteps` at once. */
export const prepareEvent = (...given: Parameters<typeof prepareEventSteps>): PreparedEvent =>
  atOnce(prepareEventSteps(...given));
