// Writes the JSON Schema of the event configuration beside its example.
import { writeFileSync } from 'node:fs';

import { EVENT_CONFIGURATION_SCHEMA } from '../src/platform/config/event-configuration-file.js';

writeFileSync(
  'examples/event-configuration.schema.json',
  `${JSON.stringify(EVENT_CONFIGURATION_SCHEMA, undefined, 2)}\n`,
);
