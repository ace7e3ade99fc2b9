import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { readConfig } from '../../src/platform/config/read-config.js';
import { KIB, MIB } from '../../src/kernel/domain/bytes.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { S3Store } from '../../src/events/files/s3-store.js';
import { aPng } from '../support/multipart.js';

const CALL_MS = 500;
const PNG = { type: 'image/png', signal: new AbortController().signal } as const;
const unavailable = { code: 'SERVICE_UNAVAILABLE', message: 'The file store cannot be used now; try again later' };
const anId = (): Uuid => randomUUID() as Uuid;

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 64 * KIB) {
    yield bytes.subarray(at, at + 64 * KIB);
    await sleep(0);
  }
}

let bucket: Server;
let behave: (answer: ServerResponse, request: IncomingMessage) => void;
let store: S3Store;
beforeAll(async () => {
  bucket = createServer((request, answer) => {
    request.resume().once('end', () => {
      behave(answer, request);
    });
  }).listen(0, '127.0.0.1');
  await once(bucket, 'listening');
  const { port } = bucket.address() as AddressInfo;
  const settings = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' };
  const config = readConfig({ NODE_ENV: 'test', ...settings, S3_ENDPOINT: `http://127.0.0.1:${port}` });
  store = new S3Store(config, CALL_MS);
});
afterAll(() => {
  bucket.closeAllConnections();
  bucket.close();
});

describe('a bucket that is broken', () => {
  it.each([100, 6 * MIB, 11 * MIB])('and refuses a file of %i bytes is one that cannot be used now', async (bytes) => {
    behave = (answer) => answer.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
    await expect(store.write(anId(), piecesOf(aPng(bytes)), PNG)).rejects.toMatchObject(unavailable);
  });

  it.each([
    ['200', 200],
    ['an error', 500],
  ])('and never ends the body of %s keeps nobody waiting', async (_, status) => {
    behave = (answer) => {
      answer.writeHead(status, { etag: '"1"', 'content-type': 'application/xml' });
      const dripping = setInterval(() => answer.write(' '), 20);
      answer.once('close', () => {
        clearInterval(dripping);
      });
    };
    await expect(store.write(anId(), piecesOf(aPng()), PNG)).rejects.toMatchObject(unavailable);
    await expect(store.write(anId(), piecesOf(aPng(6 * MIB)), PNG)).rejects.toMatchObject(unavailable);
    await expect(store.remove(anId())).rejects.toThrow();
  });

  it('and sends without end is not read on', async () => {
    let sent = 0;
    behave = (answer) => {
      answer.writeHead(500, { 'content-type': 'application/xml' });
      const piece = Buffer.alloc(64 * KIB, ' ');
      const send = (): void => {
        do sent += piece.length;
        while (!answer.destroyed && answer.write(piece));
      };
      answer.on('drain', send);
      send();
    };
    await expect(store.write(anId(), piecesOf(aPng()), PNG)).rejects.toMatchObject(unavailable);
    await expect(store.remove(anId())).rejects.toThrow();
    // Most of it has waited in the buffers of sockets.
    expect(sent).toBeLessThan(40 * MIB);
  });
});

describe('a file whose sender hangs up while the bucket takes it', () => {
  it('is given up once the bucket has said what became of it, so that its removal comes after it', async () => {
    const asked: string[] = [];
    const steps = new EventEmitter();
    behave = (answer, { method = '' }) => {
      asked.push(`${method} arrived`);
      steps.emit('arrived');
      setTimeout(() => {
        asked.push(`${method} done`);
        answer.writeHead(method === 'PUT' ? 200 : 204, { etag: '"1"' }).end();
      }, 200);
    };
    const [id, sender] = [anId(), new AbortController()];
    const arrived = once(steps, 'arrived');
    const written = store.write(id, piecesOf(aPng()), { ...PNG, signal: sender.signal });
    written.catch(() => undefined);
    await arrived;
    sender.abort(new Error('nobody waits'));
    await expect(written).rejects.toThrow('nobody waits');
    await store.remove(id);
    expect(asked).toEqual(['PUT arrived', 'PUT done', 'DELETE arrived', 'DELETE done']);
  });
});

describe('a bucket that does not answer in time', () => {
  const heardOf = async (content: AsyncIterable<Uint8Array>, sender = new AbortController()): Promise<boolean> => {
    let isUnclear = false;
    const onUnclear = (): void => void (isUnclear = true);
    const written = store.write(anId(), content, { ...PNG, signal: sender.signal, onUnclear });
    await expect(written).rejects.toThrow();
    return isUnclear;
  };

  it('may still keep the file; one whose content fails, or whose sender hangs up, it has not got', async () => {
    behave = () => undefined;
    expect(await heardOf(piecesOf(aPng()))).toBe(true);
    expect(await heardOf(piecesOf(aPng(6 * MIB)))).toBe(true);
    behave = (answer, { method }) => answer.writeHead(method === 'PUT' ? 200 : 204, { etag: '"1"' }).end();
    expect(await heardOf(failing())).toBe(false);
    const sender = new AbortController();
    const hangingUp = (async function* () {
      yield aPng();
      sender.abort(new Error('nobody waits'));
      await sleep(5_000, undefined, { ref: false });
      yield aPng();
    })();
    expect(await heardOf(hangingUp, sender)).toBe(false);
  });
});

async function* failing(): AsyncGenerator<Buffer> {
  yield aPng();
  await sleep(0);
  throw new Error('415');
}
