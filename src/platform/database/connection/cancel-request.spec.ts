import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { TLSSocket } from 'node:tls';

import { createTestAuthority } from '../../../../test/support/scripted-subscriber-certificates.js';
import { requestCancel } from './guarded-client.js';

const BACKEND = { host: '127.0.0.1', processID: 0x01020304, secretKey: -2 };
/** Length 16, the code 1234 5678, the process and its secret. */
const MESSAGE = '00000010' + '04d2162e' + '01020304' + 'fffffffe';
const SSL_REQUEST = '00000008' + '04d2162f';

let server: Server | undefined;
afterEach(() => server?.close());

async function serverThat(handle: (socket: Socket) => void): Promise<number> {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    handle(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Reads one message, records it and closes, like a server that has passed the request on. */
const noteInto = (seen: string[]) => (socket: Socket) => {
  socket.once('data', (bytes) => {
    seen.push(bytes.toString('hex'));
    socket.end();
  });
};

describe('a request to cancel', () => {
  it('names the backend and its secret', async () => {
    const seen: string[] = [];
    const port = await serverThat(noteInto(seen));
    await requestCancel({ ...BACKEND, port, ssl: false });
    expect(seen).toEqual([MESSAGE]);
  });

  it('is encrypted where the connection is', async () => {
    const seen: string[] = [];
    const authority = createTestAuthority();
    const port = await serverThat((socket) => {
      socket.once('data', (bytes) => {
        seen.push(bytes.toString('hex'));
        const secure = new TLSSocket(socket, { isServer: true, ...authority.issue(['127.0.0.1']) });
        noteInto(seen)(secure);
        socket.write('S');
      });
    });
    await requestCancel({ ...BACKEND, port, ssl: { ca: authority.certificate } });
    expect(seen).toEqual([SSL_REQUEST, MESSAGE]);
  });

  it('is not sent where encryption is refused, or the server cannot prove who it is', async () => {
    const seen: string[] = [];
    const refusing = await serverThat((socket) => {
      socket.once('data', () => socket.write('N'));
      socket.on('data', (bytes) => seen.push(bytes.toString('hex')));
    });
    await requestCancel({ ...BACKEND, port: refusing, ssl: true });
    server?.close();
    const unknown = await serverThat((socket) => {
      socket.once('data', () => {
        noteInto(seen)(new TLSSocket(socket, { isServer: true, ...createTestAuthority().issue(['127.0.0.1']) }));
        socket.write('S');
      });
    });
    await requestCancel({ ...BACKEND, port: unknown, ssl: true });
    expect(seen).toEqual([SSL_REQUEST]);
  });

  it('fails in no way when there is no server', async () => {
    const port = await serverThat(() => undefined);
    server?.close();
    await expect(requestCancel({ ...BACKEND, port, ssl: false })).resolves.toBeUndefined();
  });
});
