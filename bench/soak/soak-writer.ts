import { Readable } from 'node:stream';

import type { Database } from '../../src/platform/database/pools/database.js';
import type { DemoRecord } from '../../demo/demo-line.js';
import { Prng } from '../../demo/prng.js';
import { toInstant } from '../../src/kernel/domain/calendar.js';
import { importRecords } from '../../src/events/import/import-records.js';
import { WITHOUT_FORMS } from '../../test/support/without-forms.js';
import { nationalRecord } from '../data/national-record.js';
import type { Draws } from '../search/query-kinds.js';
import { certified, drawEvent, tellOf } from '../search/written-events.js';
import type { Service } from '../service/service.js';

const STATUSES = ['CREATED', 'NOTIFIED', 'DECLARED', 'REGISTERED', 'ARCHIVED'] as const;
const FLAGS = ['paper-register', 'late-registration', 'certified', 'rejected', 'incomplete', 'sealed'];
const MOST_AT_ONCE = 60;

/** Changes statuses, flags and places of records, and adds records, through every way in that there is. */
export class SoakWriter {
  private readonly prng: Prng;
  private added = 0;
  written = 0;

  constructor(
    private readonly database: Database,
    private readonly service: Service,
    private readonly draws: Draws,
    /** Records that are there; new ones come after them. */
    private readonly records: number,
    private readonly number: number,
  ) {
    this.prng = new Prng(number, 'arrival');
  }

  async write(): Promise<void> {
    if (this.prng.chance(0.2)) await this.trigger();
    else await this.import();
  }

  private async trigger(): Promise<void> {
    const event = drawEvent(this.draws);
    await tellOf(this.service, 'REGISTER', event);
    await tellOf(this.service, 'PRINT_CERTIFICATE', certified(event));
    this.written += 2;
  }

  private async import(): Promise<void> {
    const indices = new Set(
      Array.from({ length: this.prng.between(1, MOST_AT_ONCE) }, () =>
        this.prng.chance(0.1) ? this.nextNew() : this.prng.between(0, this.records - 1),
      ),
    );
    const lines = [...indices].map((index) => `${JSON.stringify(this.changed(index))}\n`);
    const { rejected, imported, updated } = await importRecords(
      this.database,
      WITHOUT_FORMS,
      Readable.from([Buffer.from(lines.join(''))]),
    );
    if (rejected > 0) throw new Error(`${rejected} of ${lines.length} lines were rejected`);
    this.written += imported + updated;
  }

  /** Each writer has new records of its own. */
  private nextNew(): number {
    this.added += 1;
    return this.records + this.number * 10_000_000 + this.added;
  }

  private changed(index: number): DemoRecord {
    const { prng, draws } = this;
    const record = nationalRecord(draws.nation, index, draws.untilMs);
    const office = prng.pick(draws.nation.offices).id;
    const { REGISTERED } = record.legalStatuses;
    return {
      ...record,
      status: prng.pick(STATUSES),
      flags: FLAGS.filter(() => prng.chance(0.25)),
      updatedAt: prng.chance(0.8) ? toInstant(new Date()) : record.updatedAt,
      updatedAtLocation: office,
      legalStatuses: {
        ...record.legalStatuses,
        REGISTERED: REGISTERED === null || prng.chance(0.2) ? null : { ...REGISTERED, createdAtLocation: office },
      },
    };
  }
}
