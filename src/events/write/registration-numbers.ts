import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { WriteDatabase } from '../../platform/database/pools/pools.js';
import { countsByYear, registrationNumber } from '../../kernel/domain/registration-number-pattern.js';
import { sql } from '../../kernel/sql/sql.js';

/** One statement per so many consecutive taken numbers. */
const MOST_AT_A_TIME = 10_000;

interface ReservedRow {
  readonly year: number;
  readonly reserved: string;
}

/**
 * By `REGISTRATION_NUMBER_PATTERN` (E-7), unique across processes, perhaps with gaps. The year is that of `TIMEZONE`,
 * by the database's clock.
 */
@Injectable()
export class RegistrationNumbers {
  constructor(
    @Inject(WriteDatabase) private readonly database: Pick<WriteDatabase, 'query'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'REGISTRATION_NUMBER_PATTERN' | 'TIMEZONE'>,
  ) {}

  /**
   * Ascending, in a separate transaction, so that registrations do not block others. Imported numbers may collide:
   * `reserveFree` then finds others.
   */
  async reserve(count: number): Promise<readonly string[]> {
    if (count === 0) return [];
    const { REGISTRATION_NUMBER_PATTERN: pattern, TIMEZONE } = this.config;
    // No disk flush: the commit that uses the numbers follows in the same log.
    const [row] = await this.database.query<ReservedRow>(sql`
      with relaxed as (select set_config('synchronous_commit', 'off', true))
      insert into registration_number_count as c (year, reserved)
      select case when ${countsByYear(pattern)}::boolean then extract(year from now() at time zone ${TIMEZONE})::int
                  else 0 end, ${count}::bigint
        from relaxed
      on conflict (year) do update set reserved = c.reserved + excluded.reserved
      returning year, reserved`);
    if (row === undefined) throw new Error('no registration number was reserved');
    const first = Number(row.reserved) - count + 1;
    return Array.from({ length: count }, (_, at) =>
      registrationNumber(pattern, { year: row.year, sequence: first + at }),
    );
  }

  /** Skips any run of taken numbers. */
  async reserveFree(count: number): Promise<readonly string[]> {
    const free: string[] = [];
    for (let size = count; free.length < count; size = Math.min(2 * size, MOST_AT_A_TIME)) {
      const numbers = await this.reserve(size);
      const taken = await this.database.query<{ readonly number: string }>(sql`
        select registration_number as number from event_search where registration_number = any (${numbers}::text[])`);
      const isTaken = new Set(taken.map(({ number }) => number));
      free.push(...numbers.filter((number) => !isTaken.has(number)));
    }
    return free.slice(0, count);
  }
}
