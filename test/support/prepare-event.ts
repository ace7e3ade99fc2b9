import { atOnce } from '../../src/platform/queue/time-slice.js';
import type { EventConfiguration } from '../../src/kernel/domain/event-configuration/event-configuration.js';
import { type IncomingEvent, type PreparedEvent, prepareEventSteps } from '../../src/events/records/event-change.js';
import { TERMS } from './terms.js';

/** `prepareEventSteps` at once. */
export const prepareEvent = (incoming: IncomingEvent, configuration: EventConfiguration): PreparedEvent =>
  atOnce(prepareEventSteps(incoming, { configuration, terms: TERMS }));
