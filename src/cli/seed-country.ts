import { Readable } from 'node:stream';

import type { INestApplicationContext } from '@nestjs/common';

import { Database } from '../platform/database/pools/database.js';
import { demoRecords } from '../../demo/demo-records.js';
import { demoPlaces } from '../../demo/places.js';
import { PlaceImport } from '../events/places/place-import.js';
import type { CalendarDate } from '../kernel/domain/calendar.js';
import { EventConfiguration } from '../kernel/domain/event-configuration/event-configuration.js';
import type { ImportResult } from '../events/import/import-options.js';
import { importRecords } from '../events/import/import-records.js';
import { startProgress } from './progress.js';

interface Country {
  readonly records: number;
  readonly seed: number;
  /** The last day of its ten years. */
  readonly until: CalendarDate;
}

export async function seedCountry(
  services: INestApplicationContext,
  { records, seed, until }: Country,
): Promise<ImportResult> {
  await services.get(PlaceImport).import(demoPlaces(seed));
  const progress = startProgress('Seeding', records, 'records');
  try {
    return await importRecords(
      services.get(Database),
      services.get(EventConfiguration),
      Readable.from(demoBytes({ records, seed, until })),
      {
        onProgress: ({ records: done }) => {
          progress.update(done);
        },
      },
    );
  } finally {
    progress.stop();
  }
}

const LINES_AT_A_TIME = 100;

function* demoBytes({ records, seed, until }: Country): Generator<Uint8Array> {
  let lines: string[] = [];
  for (const line of demoRecords({ seed, count: records, until })) {
    lines.push(`${JSON.stringify(line)}\n`);
    if (lines.length < LINES_AT_A_TIME) continue;
    yield Buffer.from(lines.join(''));
    lines = [];
  }
  yield Buffer.from(lines.join(''));
}
