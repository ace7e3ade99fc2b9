import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * User names with `ẞ` are found by `ss`, as those with `ß` are: earlier releases kept `ß` in the key of these alone,
 * and they do so again where such a user is changed beside this one.
 */
export class CapitalSharpS1766100800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [shared] = (await runner.query(
      `select string_agg(username, ', ' order by username collate "C") as users from user_account
       group by replace(username_key, 'ß', 'ss') having count(*) > 1 limit 1`,
    )) as readonly { readonly users: string }[];
    if (shared !== undefined) {
      throw new Error(
        `The names of these users are one in capitals: ${shared.users}. Give all but one of them another with the release before`,
      );
    }
    await runner.query(
      `update user_account set username_key = replace(username_key, 'ß', 'ss') where username_key like '%ß%'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const users = (await runner.query(
      `select user_id as id, username from user_account where username like '%ẞ%'`,
    )) as readonly { readonly id: string; readonly username: string }[];
    for (const { id, username } of users) {
      const key = username.toUpperCase().toLowerCase().normalize('NFC');
      await runner.query('update user_account set username_key = $2 where user_id = $1', [id, key]);
    }
  }
}
