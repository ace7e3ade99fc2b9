import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { RejectsFile } from './rejects-file.js';
import { WrongUsage } from './options.js';

let directory: string;
let source: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'matricula-rejects-'));
  source = join(directory, 'users.ndjson');
  path = `${source}.rejected.ndjson`;
});
afterEach(() => rm(directory, { recursive: true }));

const LINE = { line: 3, issues: [{ message: 'password: is too short' }], text: '{"password":"1234"}' };

async function rejectOne(): Promise<void> {
  const rejects = await RejectsFile.of(source);
  await rejects.add(LINE);
  await rejects.close();
}

describe('the file of rejected lines', () => {
  it('is for its owner only, also where others had made one that everybody can read', async () => {
    await writeFile(path, 'of an earlier run\n');
    await chmod(path, 0o666);
    await rejectOne();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toBe(`${JSON.stringify(LINE)}\n`);
  });

  it('is a file of its own, also where a link leads elsewhere', async () => {
    const elsewhere = join(directory, 'elsewhere');
    await writeFile(elsewhere, 'theirs\n');
    await symlink(elsewhere, path);
    await rejectOne();
    expect([await readFile(elsewhere, 'utf8'), await readFile(path, 'utf8')]).toEqual([
      'theirs\n',
      `${JSON.stringify(LINE)}\n`,
    ]);
  });

  it('is not there when nothing was rejected, nor is that of an earlier run', async () => {
    await writeFile(path, 'of an earlier run\n');
    await (await RejectsFile.of(source)).complete();
    expect(await readdir(directory)).toEqual([]);
  });

  it('is that of an earlier run until a line is rejected, or the import has come to its end', async () => {
    await writeFile(path, 'of an earlier run\n');
    await (await RejectsFile.of(source)).close();
    expect([await readdir(directory), await readFile(path, 'utf8')]).toEqual([
      ['users.ndjson.rejected.ndjson'],
      'of an earlier run\n',
    ]);
  });

  it('is refused before a line is read where none can be made, and may be elsewhere', async () => {
    const pipe = '/dev/stdin';
    await expect(RejectsFile.of(pipe)).rejects.toEqual(
      new WrongUsage('Rejected lines cannot be written beside /dev/stdin; name a file with --rejects'),
    );
    const rejects = await RejectsFile.of(pipe, path);
    expect(await readdir(directory)).toEqual([]);
    await rejects.add(LINE);
    await rejects.close();
    expect(await readFile(path, 'utf8')).toBe(`${JSON.stringify(LINE)}\n`);
  });

  it('takes the place of no device, pipe or socket', async () => {
    const server = createServer().listen(path);
    await once(server, 'listening');
    try {
      await expect(RejectsFile.of(source)).rejects.toEqual(
        new WrongUsage(`Rejected lines cannot be written (${path} is no file); name another file with --rejects`),
      );
      expect((await stat(path)).isSocket()).toBe(true);
    } finally {
      server.close();
    }
  });

  it('is never the file that is imported, also by another name', async () => {
    await writeFile(source, 'users\n');
    await symlink(source, path);
    await expect(RejectsFile.of(source, path)).rejects.toEqual(
      new WrongUsage(`--rejects: ${path} is the file that is imported`),
    );
    expect(await readFile(source, 'utf8')).toBe('users\n');
  });
});
