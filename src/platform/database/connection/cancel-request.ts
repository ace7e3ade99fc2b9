import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

const CANCEL_CODE = 80_877_102;
const SSL_CODE = 80_877_103;
const TIMEOUT_MS = 2_000;

interface Backend {
  readonly host: string;
  readonly port: number;
  readonly ssl: boolean | object;
  readonly processID: number;
  readonly secretKey: number;
}

/**
 * Cancels the running statement (PostgreSQL, Canceling Requests in Progress) over a separate connection, which needs no
 * free slot. Resolves once the request is passed on, so that it hits no later statement; also, without effect, if the
 * server is unreachable.
 */
export async function requestCancel(client: object): Promise<void> {
  if (!isBackend(client)) return;
  const socket = client.host.startsWith('/')
    ? connect(`${client.host}/.s.PGSQL.${client.port}`)
    : connect(client.port, client.host);
  await new Promise<void>((done) => {
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.once('close', () => {
      done();
    });
    socket.once('connect', () => {
      if (client.ssl === false) send(socket, client);
      else sendSecurely(socket, client, client.ssl);
    });
  });
}

/** The server answers by closing the connection. */
function send(socket: Socket, { processID, secretKey }: Backend): void {
  socket.resume();
  socket.write(message(CANCEL_CODE, processID, secretKey));
}

function sendSecurely(socket: Socket, backend: Backend, ssl: true | object): void {
  socket.once('data', (answer) => {
    if (answer.toString() !== 'S') {
      socket.destroy();
      return;
    }
    const options = ssl === true ? {} : ssl;
    const secure = connectSecurely({ socket, host: backend.host, ...options }, () => {
      send(secure, backend);
    });
    secure.on('error', () => socket.destroy());
  });
  socket.write(message(SSL_CODE));
}

function message(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * (numbers.length + 1));
  [bytes.length, ...numbers].forEach((number, at) => bytes.writeInt32BE(number, 4 * at));
  return bytes;
}

const isBackend = (client: object): client is Backend =>
  'processID' in client &&
  typeof client.processID === 'number' &&
  'secretKey' in client &&
  typeof client.secretKey === 'number' &&
  'host' in client &&
  typeof client.host === 'string' &&
  'port' in client &&
  typeof client.port === 'number' &&
  'ssl' in client &&
  (typeof client.ssl === 'boolean' || (typeof client.ssl === 'object' && client.ssl !== null));
