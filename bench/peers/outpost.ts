/** Hookdeck Outpost: `npx tsx bench/peers/outpost.ts --help`; see peer.ts. */
import type { Peer, PeerApi, PeerEvent } from './peer.js';
import { peerCommand } from './peer.js';

const TENANT = 'bench';
const TOPIC = 'birth';

class Outpost implements Peer {
  constructor(private readonly api: PeerApi) {}

  async prepare(): Promise<void> {
    await this.api.ask('PUT', `/tenants/${TENANT}`);
  }

  async subscribe(url: string): Promise<void> {
    await this.api.ask('POST', `/tenants/${TENANT}/destinations`, {
      type: 'webhook',
      topics: [TOPIC],
      config: { url },
    });
  }

  async publish(data: PeerEvent): Promise<void> {
    await this.api.ask('POST', '/publish', { tenant_id: TENANT, topic: TOPIC, data });
  }
}

await peerCommand(
  {
    name: 'outpost',
    description: 'starts Hookdeck Outpost with the environment of this command, and measures it by its API',
    url: 'http://127.0.0.1:3333',
    keyVariable: 'API_KEY',
  },
  (api) => new Outpost(api),
).parseAsync();
