import { execFile } from 'node:child_process';
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Secret } from '../../platform/config/secret.js';
import { secretsKeyOf } from './secrets-box.js';

describe('secretsKeyOf', () => {
  let parent: string;
  let directory: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'secrets-key-'));
    directory = join(parent, 'data');
  });
  afterEach(() => {
    rmSync(parent, { recursive: true });
  });

  const without = (production = false): Parameters<typeof secretsKeyOf>[0] => ({
    SECRETS_KEY: undefined,
    DATA_DIR: directory,
    production,
  });

  it('is SECRETS_KEY when there is one, and then writes nothing', () => {
    const key = Buffer.alloc(32, 7);
    const config = { ...without(), SECRETS_KEY: new Secret(key.toString('base64')) };
    expect(secretsKeyOf(config)).toEqual(key);
    expect(readdirSync(parent)).toEqual([]);
  });

  it('is made once, and kept where only the owner reads it', () => {
    const made = secretsKeyOf(without());
    expect(made).toHaveLength(32);
    expect(secretsKeyOf(without())).toEqual(made);
    expect(readdirSync(directory)).toEqual(['secrets-key']);
    expect(statSync(join(directory, 'secrets-key')).mode & 0o777).toBe(0o600);
  });

  it('is on the disk before anything is sealed under it: a power failure would lose all of that', () => {
    const synced: string[] = [];
    const sync = fs.fsyncSync;
    const spy = jest.spyOn(fs, 'fsyncSync').mockImplementation((handle) => {
      sync(handle);
      synced.push(
        fs
          .readlinkSync(`/proc/self/fd/${handle}`)
          .replace(parent, '')
          .replace(/\.\d.*/, '.draft'),
      );
    });
    secretsKeyOf(without());
    spy.mockRestore();
    expect(synced).toEqual(['', '/data/secrets-key.draft', '/data']);
  });

  it('is another one under another directory', () => {
    const made = secretsKeyOf(without());
    expect(secretsKeyOf({ ...without(), DATA_DIR: join(parent, 'other') })).not.toEqual(made);
  });

  it('is one key for processes that start at once', async () => {
    const script = `
      import { secretsKeyOf } from ${JSON.stringify(join(__dirname, 'secrets-box.ts'))};
      console.log(secretsKeyOf({ SECRETS_KEY: undefined, DATA_DIR: process.argv[1], production: false }).toString('hex'));`;
    const start = (): Promise<{ stdout: string }> =>
      promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, directory]);
    const keys = (await Promise.all(Array.from({ length: 4 }, start))).map(({ stdout }) => stdout.trim());
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(keys).size).toBe(1);
    expect(readdirSync(directory)).toEqual(['secrets-key']);
  });

  it('is not made in production', () => {
    expect(() => secretsKeyOf(without(true))).toThrow('SECRETS_KEY: missing');
    expect(readdirSync(parent)).toEqual([]);
  });

  it('is never replaced by another when the kept one cannot be read', () => {
    secretsKeyOf(without());
    writeFileSync(join(directory, 'secrets-key'), 'c29tZXRoaW5n');
    expect(() => secretsKeyOf(without())).toThrow('holds no secrets key');
    expect(readFileSync(join(directory, 'secrets-key'), 'utf8')).toBe('c29tZXRoaW5n');
  });
});
