import type { TestReplica } from '../support/replicated-server.js';
import { startReplicatedServer } from '../support/replicated-server.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import type { PostgresServer } from './postgres-server.js';
import type { Stage } from './stage.js';
import { sharedStage } from './stage.js';

/** A database that the service comes to through an address which can lead elsewhere, or nowhere. */
export interface ProxiedStage extends Stage {
  readonly proxy: TcpProxy;
}

/** A primary with a standby. */
export interface ReplicatedStage extends ProxiedStage {
  readonly primaryUrl: string;
  readonly standby: TestReplica;
  /** From here on the test, too, works with the standby. */
  readonly follow: () => void;
  /** Ends the primary for good, and follows the standby. */
  readonly losePrimary: () => Promise<void>;
}

/** An empty database on the server of the run, through a proxy. */
export async function proxied(postgres: PostgresServer): Promise<ProxiedStage> {
  const shared = await sharedStage(postgres);
  const proxy = await TcpProxy.to(await shared.url());
  return {
    ...shared,
    environment: { DATABASE_URL: proxy.url },
    proxy,
    remove: async () => {
      await proxy.close();
      await shared.remove();
    },
  };
}

/** A primary with a standby of its own, and a proxy that leads to the primary first. */
export async function replicated(): Promise<ReplicatedStage> {
  const servers = await startReplicatedServer(1);
  const [standby] = servers.replicas;
  if (standby === undefined) throw new Error('there is no standby');
  const proxy = await TcpProxy.to(servers.primaryUrl);
  let url = servers.primaryUrl;
  const follow = (): void => {
    url = standby.url;
  };
  return {
    environment: { DATABASE_URL: proxy.url },
    proxy,
    standby,
    primaryUrl: servers.primaryUrl,
    url: () => Promise.resolve(url),
    follow,
    losePrimary: async () => {
      await servers.stopPrimary();
      follow();
    },
    remove: async () => {
      await proxy.close();
      await servers.stop();
    },
  };
}
