import { Capacities } from '../../src/platform/queue/capacities.js';
import type { Database } from '../../src/platform/database/pools/database.js';
import type { EventConfiguration } from '../../src/kernel/domain/event-configuration/event-configuration.js';
import { Hierarchy } from '../../src/auth/locations/hierarchy-cache.js';
import { WholeEvents } from '../../src/events/records/stored-events.js';
import { RecordAccess, StoredAccess } from '../../src/events/search/stored-access.js';
import { WITHOUT_FORMS } from './without-forms.js';

/** Access to the events of a database, as a process of the service asks for it. */
export function storedAccess(
  database: Database,
  places = new Hierarchy([]),
  configuration: EventConfiguration = WITHOUT_FORMS,
) {
  const access = new RecordAccess(places);
  const capacities = new Capacities({ DATABASE_POOL_SIZE: 10 });
  const events = new WholeEvents(database, capacities);
  return { access, capacities, events, stored: new StoredAccess(database, access, events, configuration) };
}
