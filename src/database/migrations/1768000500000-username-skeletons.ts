import type { MigrationInterface, QueryRunner } from 'typeorm';

import { usernameSkeleton } from '../../domain/username-key.js';

const AT_A_TIME = 1_000;

/** How user names look: a new one must not look like another (U-6). Those that do already stay. */
export class UsernameSkeletons1768000500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table user_account add column username_skeleton text');
    // Without the trigger, which would tell every process of every user.
    await runner.query('alter table user_account disable trigger user_revised');
    for (let last: string | undefined = ''; last !== undefined;) {
      const users = (await runner.query(
        'select username, username_key as key from user_account where username_key > $1 order by username_key limit $2',
        [last, AT_A_TIME],
      )) as readonly { readonly username: string; readonly key: string }[];
      await runner.query(
        `update user_account set username_skeleton = new.skeleton
           from unnest($1::text[], $2::text[]) as new (key, skeleton) where username_key = new.key`,
        [users.map(({ key }) => key), users.map(({ username }) => usernameSkeleton(username))],
      );
      last = users.at(-1)?.key;
    }
    await runner.query('alter table user_account enable trigger user_revised');
    await runner.query('create index user_account_skeleton on user_account (username_skeleton)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table user_account drop column username_skeleton');
  }
}
