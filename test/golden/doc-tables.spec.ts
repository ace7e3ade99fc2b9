import { readFileSync } from 'node:fs';

import { PAGES_WITH_TABLES, withTables } from '../support/doc-tables.js';

it.each(PAGES_WITH_TABLES)(
  '%s has the tables of the code (A-9, A-10, E-2); npm run docs:tables writes them',
  (page) => {
    const text = readFileSync(page, 'utf8');
    expect(text).toBe(withTables(page, text));
  },
);
