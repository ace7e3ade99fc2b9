import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { canReach } from './server-process.js';

/** A different user, whoever runs this. */
const STRANGER = { uid: 54_321, gid: 54_321 };

let place: string;
beforeEach(async () => {
  place = join(await mkdtemp(join(tmpdir(), 'matricula-account-')), 'inner');
  await mkdir(place);
  await chmod(join(place, '..'), 0o755);
  await chmod(place, 0o755);
});
afterEach(() => rm(join(place, '..'), { recursive: true }));

describe('canReach', () => {
  it('holds where every directory on the way is open', async () => {
    expect(await canReach(place, STRANGER)).toBe(true);
  });

  it('fails where one on the way is closed, open as the place itself may be', async () => {
    await chmod(join(place, '..'), 0o700);
    expect(await canReach(place, STRANGER)).toBe(false);
  });

  it('goes by the owner’s rights for the owner, and by the group’s for the group', async () => {
    const { uid, gid } = await stat(place);
    await chmod(place, 0o710);
    expect([
      await canReach(place, { uid, gid: STRANGER.gid }),
      await canReach(place, { uid: STRANGER.uid, gid }),
      await canReach(place, STRANGER),
    ]).toEqual([true, true, false]);
  });
});
