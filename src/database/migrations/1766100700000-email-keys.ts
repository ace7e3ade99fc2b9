import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Letters of either case are one in e-mail addresses, by Unicode's simple mapping and with one small sigma, whatever
 * the locale of the database is: `lower` knows no letters but ASCII in the locale C, and makes `ı` of `I` in Turkish.
 * Processes of earlier releases heed the index, too.
 */
export class EmailKeys1766100700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [capital, small] = caseMapping();
    await runner.query(
      `create function email_key(email text) returns text language sql immutable strict parallel safe
       return translate(email, '${capital}', '${small}')`,
    );
    const [shared] = (await runner.query(
      `select string_agg(username, ', ' order by username) as users from user_account
       where email is not null group by email_key(email) having count(*) > 1 limit 1`,
    )) as readonly { readonly users: string }[];
    if (shared !== undefined) {
      throw new Error(
        `The e-mail addresses of these users differ in letter case alone: ${shared.users}. ` +
          'Give all but one of them another, or none, with the release before',
      );
    }
    await runner.query('drop index user_account_email');
    await runner.query(
      'create unique index user_account_email on user_account (email_key(email)) where email is not null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index user_account_email');
    await runner.query('create unique index user_account_email on user_account (lower(email)) where email is not null');
    await runner.query('drop function email_key(text)');
  }
}

/** Each letter that has another small form, and that form, at the same place. */
function caseMapping(): readonly [string, string] {
  const mapping = [
    ['ς', 'σ'],
    // The only one whose small form is two code points.
    ['İ', 'i'],
  ];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const letter = String.fromCodePoint(code);
    const small = letter.toLowerCase();
    if (small !== letter && Array.from(small).length === 1) mapping.push([letter, small]);
  }
  return [mapping.map(([letter]) => letter).join(''), mapping.map(([, small]) => small).join('')];
}
