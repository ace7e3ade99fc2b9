import { EventConfiguration } from '../../src/kernel/domain/event-configuration/event-configuration.js';
import { SHIPPED_EVENT_TYPES } from '../../src/kernel/domain/event-configuration/shipped-event-types.js';

/** Birth, death and marriage, without forms. */
export const WITHOUT_FORMS = new EventConfiguration([...SHIPPED_EVENT_TYPES.keys()]);
