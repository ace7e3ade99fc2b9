import { EventConfiguration } from '../../src/domain/event-configuration/event-configuration.js';
import { SHIPPED_EVENT_TYPES } from '../../src/domain/event-configuration/shipped-event-types.js';

/** Birth, death and marriage, without forms. */
export const WITHOUT_FORMS = new EventConfiguration([...SHIPPED_EVENT_TYPES.keys()]);
