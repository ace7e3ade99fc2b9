import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

import { testAuthority } from './scripted-subscriber.js';

const TICKETS_IN_A_RECORD = 700;
/** Of application data in the outer layer, and of a handshake message in the inner one (RFC 8446, 5). */
const [OUTER, INNER] = [0x17, 0x16];

/** A server of TLS 1.3 that answers each request with so many session tickets, and nothing else. Yields its port. */
export async function startTicketFlood(
  tickets: number,
): Promise<{ readonly port: number; readonly close: () => void }> {
  let secret = Buffer.alloc(0);
  let near: Socket | undefined;
  let sealed = 0;
  let isAgreed = false;
  const certificate = testAuthority.issue(['127.0.0.1']);
  const inside = createTlsServer({ ...certificate, minVersion: 'TLSv1.3', ciphers: 'TLS_AES_128_GCM_SHA256' });
  inside.on('keylog', (line: Buffer) => {
    const [label, , value = ''] = line.toString().trim().split(' ');
    if (label === 'SERVER_TRAFFIC_SECRET_0') secret = Buffer.from(value, 'hex');
  });
  inside.on('secureConnection', (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      // The server's own records must have passed: the numbers of records go on from them.
      setTimeout(() => near?.write(recordsOf(tickets, secret, sealed)), 100);
    });
  });
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));

  const outside = createServer((client) => {
    near = client;
    const far = connect((inside.address() as AddressInfo).port, '127.0.0.1');
    let flights = 0;
    client.on('data', (chunk) => {
      flights += 1;
      // The second flight of the client ends the handshake: what the server sends from now on has its last keys.
      isAgreed ||= flights > 1;
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      for (let at = 0; isAgreed && at < chunk.length; at += 5 + chunk.readUInt16BE(at + 3)) {
        if (chunk[at] === OUTER) sealed += 1;
      }
      client.write(chunk);
    });
    for (const socket of [client, far]) socket.on('error', () => undefined);
    client.once('close', () => far.destroy());
  });
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  return {
    port: (outside.address() as AddressInfo).port,
    close: () => {
      outside.close();
      inside.close();
    },
  };
}

function recordsOf(tickets: number, secret: Buffer, first: number): Buffer {
  const [key, iv] = [expand(secret, 'key', 16), expand(secret, 'iv', 12)];
  return Buffer.concat(
    Array.from({ length: Math.ceil(tickets / TICKETS_IN_A_RECORD) }, (_, at) => {
      const text = Buffer.concat([...Array.from({ length: TICKETS_IN_A_RECORD }, ticket), Buffer.from([INNER])]);
      const head = Buffer.from([OUTER, 3, 3, 0, 0]);
      head.writeUInt16BE(text.length + 16, 3);
      const nonce = Buffer.from(iv);
      nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ (first + at)) >>> 0, 8);
      const cipher = createCipheriv('aes-128-gcm', key, nonce).setAAD(head);
      return Buffer.concat([head, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
    }),
  );
}

/** `NewSessionTicket`: type, length, life time, added age, nonce, ticket, no extensions (RFC 8446, 4.6.1). */
const ticket = (): Buffer =>
  Buffer.concat([
    Buffer.from([4, 0, 0, 18, 0, 0, 28, 32]),
    randomBytes(4),
    Buffer.from([1, 0, 0, 4]),
    randomBytes(4),
    Buffer.alloc(2),
  ]);

/** HKDF-Expand-Label of SHA-256 for what fits into one block (RFC 8446, 7.1). */
function expand(secret: Buffer, label: string, length: number): Buffer {
  const full = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Buffer.from([0, length, full.length]), full, Buffer.from([0, 1])]);
  return createHmac('sha256', secret).update(info).digest().subarray(0, length);
}
