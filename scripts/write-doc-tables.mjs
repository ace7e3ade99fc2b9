// Writes the tables of the documentation that are generated from the code.
import { readFileSync, writeFileSync } from 'node:fs';

import { PAGES_WITH_TABLES, withTables } from '../test/support/doc-tables.js';

for (const page of PAGES_WITH_TABLES) writeFileSync(page, withTables(page, readFileSync(page, 'utf8')));
