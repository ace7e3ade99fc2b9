/** Svix: `npx tsx bench/peers/svix.ts --help`; see peer.ts. */
import type { Peer, PeerApi, PeerEvent } from './peer.js';
import { peerCommand } from './peer.js';

const APPLICATION = 'bench';
const TOPIC = 'birth';

class Svix implements Peer {
  constructor(private readonly api: PeerApi) {}

  async prepare(): Promise<void> {
    await this.api.ask('POST', '/app?get_if_exists=true', { name: APPLICATION, uid: APPLICATION });
  }

  async subscribe(url: string): Promise<void> {
    await this.api.ask('POST', `/app/${APPLICATION}/endpoint`, { url });
  }

  async publish(payload: PeerEvent): Promise<void> {
    await this.api.ask('POST', `/app/${APPLICATION}/msg`, { eventType: TOPIC, payload });
  }
}

await peerCommand(
  {
    name: 'svix',
    description: 'starts svix-server with the environment of this command, and measures it by its API',
    url: 'http://127.0.0.1:8071',
    keyVariable: 'SVIX_TOKEN',
  },
  (api) => new Svix(api),
).parseAsync();
