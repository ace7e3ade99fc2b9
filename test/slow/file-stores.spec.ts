import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readlink, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readConfig } from '../../src/platform/config/read-config.js';
import { KIB, MIB } from '../../src/kernel/domain/bytes.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { createFileStore } from '../../src/events/files/create-file-store.js';
import { DiskStore } from '../../src/events/files/disk-store.js';
import type { FileStore } from '../../src/events/files/file-store.js';
import { S3Store } from '../../src/events/files/s3-store.js';
import { eventually } from '../support/eventually.js';
import { aPng, filesIn } from '../support/multipart.js';
import { isS3ServerInstalled, type S3Server, startS3Server } from '../support/s3-server.js';

const { signal } = new AbortController();
const PNG = { type: 'image/png', signal } as const;
const configOf = (environment: Readonly<Record<string, string>>) => readConfig({ NODE_ENV: 'test', ...environment });

let directory: string;
let s3: S3Server;
const stores = new Map<string, { readonly store: FileStore; readonly count: () => Promise<number> }>();
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'matricula-files-'));
  stores.set('directory', {
    store: await createFileStore(configOf({ DATA_DIR: directory })),
    count: () => filesIn(directory),
  });
  if (!hasS3) return;
  s3 = await startS3Server();
  stores.set('bucket', { store: await createFileStore(configOf(s3.environment)), count: () => s3.files() });
});
afterAll(async () => {
  if (hasS3) await s3.stop();
  await rm(directory, { recursive: true });
});

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 64 * KIB) {
    yield bytes.subarray(at, at + 64 * KIB);
    await sleep(0);
  }
}
const unavailable = { code: 'SERVICE_UNAVAILABLE', message: 'The file store cannot be used now; try again later' };
const openPaths = async (): Promise<readonly string[]> =>
  Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
const anId = (): Uuid => randomUUID() as Uuid;

const hasS3 = isS3ServerInstalled();
describe.each(hasS3 ? ['directory', 'bucket'] : ['directory'])('a %s of files', (name) => {
  const here = (): { readonly store: FileStore; readonly count: () => Promise<number> } => {
    const found = stores.get(name);
    if (found === undefined) throw new Error(name);
    return found;
  };

  it.each([1, 100, 5 * MIB, 11 * MIB + 1])('keeps %i bytes, gives them back and removes them', async (bytes) => {
    const { store, count } = here();
    const [id, content] = [anId(), aPng(Math.max(bytes, 20)).subarray(0, bytes)];
    await store.check();
    await store.write(id, piecesOf(content), PNG);
    expect((await buffer(await store.open(id, 'readers'))).equals(content)).toBe(true);
    expect(await count()).toBe(1);
    await store.remove(id);
    expect(await count()).toBe(0);
    await store.remove(id);
    await expect(store.open(id, 'readers')).rejects.toThrow(`the file store has no file ${id}`);
  });

  it('has nothing of a file whose sender fails, once it is removed', async () => {
    const { store, count } = here();
    const id = anId();
    async function* breakingOff(): AsyncGenerator<Buffer> {
      yield* piecesOf(aPng(6 * MIB));
      throw new Error('the client hung up');
    }
    await expect(store.write(id, breakingOff(), PNG)).rejects.toThrow('the client hung up');
    await expect(store.open(id, 'readers')).rejects.toThrow('has no file');
    await store.remove(id);
    expect(await count()).toBe(0);
  });

  it('stops when nobody waits any more', async () => {
    const { store } = here();
    const controller = new AbortController();
    async function* endless(): AsyncGenerator<Buffer> {
      for (let at = 0; ; at += 1) {
        if (at === 3) controller.abort(new Error('nobody waits'));
        yield aPng();
        await sleep(1);
      }
    }
    const id = anId();
    await expect(store.write(id, endless(), { ...PNG, signal: controller.signal })).rejects.toThrow('nobody waits');
    await store.remove(id);
  });
});

describe('a file for which nobody waits any more', () => {
  it('is not even begun, neither in a directory nor in a bucket', async () => {
    const asked: string[] = [];
    const bucket = createServer(({ method = '' }, answer) => {
      asked.push(method);
      answer.end();
    }).listen(0, '127.0.0.1');
    await once(bucket, 'listening');
    const { port } = bucket.address() as AddressInfo;
    const kept = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' };
    const onS3 = new S3Store(configOf({ ...kept, S3_ENDPOINT: `http://127.0.0.1:${port}` }));
    const read: string[] = [];
    async function* content(): AsyncGenerator<Buffer> {
      read.push('a piece');
      yield* piecesOf(aPng());
    }
    const gone = { ...PNG, signal: AbortSignal.abort(new Error('nobody waits')) };
    const before = await filesIn(directory);
    for (const store of [new DiskStore(directory), onS3]) {
      await expect(store.write(anId(), content(), gone)).rejects.toThrow('nobody waits');
    }
    bucket.close();
    expect({ asked, read, files: await filesIn(directory) }).toEqual({ asked: [], read: [], files: before });
  });
});

(hasS3 ? describe : describe.skip)('an address in a bucket', () => {
  it('serves the file to whoever has it, as something to save', async () => {
    const { store } = stores.get('bucket') ?? {};
    const id = anId();
    await store?.write(id, piecesOf(aPng()), PNG);
    const address = await store?.addressOf({ id, fileName: 'tx"1\r\n.png', type: 'image/png' }, 60);
    const answer = await fetch(address ?? '');
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      200,
      'image/png',
      'attachment; filename="tx_1__.png"',
    ]);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(aPng());
    const forged = await fetch((address ?? '').replace(id, anId()));
    expect(forged.status).toBe(403);
    await store?.remove(id);
  });

  it('is the one that clients reach', async () => {
    const store = await createFileStore(
      configOf({ ...s3.environment, S3_PUBLIC_ENDPOINT: 'https://files.example.org' }),
    );
    const address = await store.addressOf({ id: anId(), fileName: 'a.png', type: 'image/png' }, 60);
    expect(new URL(address ?? '').origin).toBe('https://files.example.org');
  });
});

(hasS3 ? describe : describe.skip)('a bucket that cannot be used', () => {
  it('ends every call when the bucket does not answer', async () => {
    const store = new S3Store(configOf(s3.environment), 200);
    await s3.freeze();
    try {
      await expect(store.write(anId(), piecesOf(aPng()), PNG)).rejects.toMatchObject(unavailable);
      await expect(store.open(anId(), 'readers')).rejects.toMatchObject(unavailable);
      await expect(store.remove(anId())).rejects.toThrow();
      await expect(store.check()).rejects.toThrow();
    } finally {
      s3.thaw();
    }
  });

  it('is one with another key, or without its bucket', async () => {
    const withoutKey = new S3Store(configOf({ ...s3.environment, S3_SECRET_ACCESS_KEY: 'wrong' }));
    await expect(withoutKey.write(anId(), piecesOf(aPng()), PNG)).rejects.toMatchObject(unavailable);
    const withoutBucket = new S3Store(configOf({ ...s3.environment, S3_BUCKET: 'nowhere' }));
    await expect(withoutBucket.check()).rejects.toThrow();
  });
});

describe('a directory that cannot be used', () => {
  // A pipe without a writer is opened as late as a file of a file system that hangs.
  it('that answers too late keeps no file open', async () => {
    const id = anId();
    const path = join(directory, 'files', id.slice(0, 2), id);
    await mkdir(dirname(path), { recursive: true });
    await promisify(execFile)('mkfifo', [path]);
    await expect(new DiskStore(directory, 50).open(id, 'readers')).rejects.toMatchObject(unavailable);
    const pipe = await open(path, 'r+');
    await sleep(100);
    // Soon: what nobody closes is closed by the garbage collector some time.
    const isClosed = async (): Promise<boolean> => (await openPaths()).filter((at) => at === path).length === 1;
    await eventually('only the pipe is open', isClosed, 1_000);
    await pipe.close();
  });

  it('hangs nothing else: calls have an end, and leave threads for others', async () => {
    const store = new DiskStore(directory, 200);
    const [kept, ...hanging] = Array.from({ length: 9 }, anId);
    await store.write(kept ?? anId(), piecesOf(aPng()), PNG);
    const paths = hanging.map((id) => join(directory, 'files', id.slice(0, 2), id));
    for (const path of paths) await mkdir(dirname(path), { recursive: true });
    await promisify(execFile)('mkfifo', paths);
    // Sent while the disk hangs: begun before, and after.
    const steps = new EventEmitter();
    const [begun, hung] = [once(steps, 'begun'), once(steps, 'hung')];
    async function* brokenInTwo(): AsyncGenerator<Buffer> {
      yield aPng();
      steps.emit('begun');
      await hung;
      yield aPng();
    }
    const half = store.write(anId(), brokenInTwo(), PNG);
    half.catch(() => undefined);
    await begun;
    const read = await store.open(kept ?? anId(), 'readers');
    const opened = hanging.map((id, at) => store.open(id, at % 2 === 0 ? 'readers' : 'notifications'));
    try {
      await expect(Promise.all(opened)).rejects.toMatchObject(unavailable);
      steps.emit('hung');
      await expect(half).rejects.toMatchObject(unavailable);
      await expect(store.write(anId(), piecesOf(aPng()), PNG)).rejects.toMatchObject(unavailable);
      await expect(store.remove(anId())).rejects.toThrow();
      await expect(buffer(read)).rejects.toThrow();
      expect((await stat(directory)).isDirectory()).toBe(true);
    } finally {
      for (const path of paths) closeSync(openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
      await Promise.allSettled(opened);
    }
    await eventually('it can be used again', () =>
      store.check().then(
        () => true,
        () => false,
      ),
    );
    expect(await buffer(await store.open(kept ?? anId(), 'readers'))).toEqual(aPng());
  });

  it('hangs for readers of addresses alone: uploads and notifications have calls of their own', async () => {
    const store = new DiskStore(directory, 2_000);
    const [stuck, kept] = [anId(), anId()];
    const path = join(directory, 'files', stuck.slice(0, 2), stuck);
    await mkdir(dirname(path), { recursive: true });
    await promisify(execFile)('mkfifo', [path]);
    const opened = [1, 2, 3].map(() => store.open(stuck, 'readers'));
    await store.write(kept, piecesOf(aPng()), PNG);
    expect(await buffer(await store.open(kept, 'notifications'))).toEqual(aPng());
    // A pipe is opened once somebody writes to it, and ends at once.
    const writer = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    for (const stream of await Promise.all(opened)) stream.destroy();
    closeSync(writer);
  });

  it('is a file', async () => {
    const store = new DiskStore(__filename);
    await expect(store.check()).rejects.toThrow();
    await expect(store.write(anId(), piecesOf(aPng()), PNG)).rejects.toMatchObject(unavailable);
    await expect(store.open(anId(), 'readers')).rejects.toMatchObject(unavailable);
  });
});
