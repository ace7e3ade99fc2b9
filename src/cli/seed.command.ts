import { Command, InvalidArgumentError } from 'commander';
import { type CalendarDate, parseCalendarDate } from '../kernel/domain/calendar.js';
import { jsonOption, wholeNumber } from './options.js';
import { answer } from './output.js';
import { withServices } from './services.js';

interface SeedOptions {
  readonly records: number;
  readonly seed: number;
  readonly until: CalendarDate;
  readonly json: boolean;
}

/** Fixed, so that a seed always gives the same country. */
const LAST_DAY = '2026-06-30' as CalendarDate;

/** `matricula seed`: a synthetic country, determined by the seed. */
export const seedCommand = (): Command =>
  new Command('seed')
    .description('fill the database with a synthetic country: ten years of births, deaths and marriages')
    .requiredOption('--records <number>', 'how many records', wholeNumber(0, 100_000_000))
    .option('--seed <number>', 'which country: the same number gives the same one', wholeNumber(0, 4_294_967_295), 1)
    .option('--until <date>', 'the last day of its ten years', calendarDate, LAST_DAY)
    .addOption(jsonOption())
    .action(({ records, seed, until, json }: SeedOptions) =>
      withServices(async (services) => {
        const { seedCountry } = await import('./seed-country.js');
        const { imported, updated, rejected } = await seedCountry(services, { records, seed, until });
        await answer(
          json,
          { imported, updated, rejected },
          `${imported} imported, ${updated} updated, ${rejected} rejected`,
        );
      }),
    );

function calendarDate(text: string): CalendarDate {
  const date = parseCalendarDate(text);
  if (date === undefined) throw new InvalidArgumentError('Allowed: a calendar date, YYYY-MM-DD.');
  return date;
}
