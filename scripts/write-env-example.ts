// Writes .env.example from the schema of the configuration.
import { writeFileSync } from 'node:fs';

import { envExample } from '../src/platform/config/env-example.js';

writeFileSync('.env.example', envExample());
