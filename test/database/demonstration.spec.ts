import { readdir, rm } from 'node:fs/promises';

import { NestFactory } from '@nestjs/core';

import { SystemClients } from '../../src/auth/clients/system-clients.js';
import { prepareDemonstration } from '../../src/cli/demonstration.js';
import { Database } from '../../src/platform/database/pools/database.js';
import { importLocations } from '../../src/auth/locations/import-locations.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { COUNTRY } from '../support/areas.js';
import { createTestDatabase } from '../support/postgres.js';
import { scratchDirectory } from '../support/scratch-directory.js';

describe('a start on a database with places of one’s own', () => {
  it('adds no demonstration country to them', async () => {
    const test = await createTestDatabase();
    const { database } = test;
    await importLocations(database, COUNTRY);
    const providers = [
      { provide: Database, useValue: database },
      { provide: SystemClients, useValue: {} },
    ];
    const services = await NestFactory.createApplicationContext({ module: class {}, providers });
    const config = { DEMO_RECORDS: 10, DATA_DIR: await scratchDirectory('matricula-demonstration-') };
    expect([await prepareDemonstration(services, config), await readdir(config.DATA_DIR)]).toEqual([undefined, []]);
    expect(await database.query(sql`select count(*)::int as places from place`)).toEqual([
      { places: COUNTRY.administrativeAreas.length + COUNTRY.locations.length },
    ]);
    await rm(config.DATA_DIR, { recursive: true });
    await services.close();
    await test.drop();
  });
});
