import type { DataSource } from 'typeorm';

import { Primary } from '../connection/primary.js';
import type { ServerState } from '../connection/server-watch.js';
import { ServerWatch } from '../connection/server-watch.js';
import { createDataSource } from './data-source.js';

interface WatchedDataSource {
  readonly dataSource: DataSource;
  readonly close: () => Promise<void>;
}

/** For statements that may take hours: `ServerWatch` fails those that a lost server will never answer. */
export async function openWatched(
  url: string,
  poolSize: number,
  onChange: (state: ServerState) => void = () => undefined,
): Promise<WatchedDataSource> {
  const primary = new Primary(url);
  const dataSource = await createDataSource(url, poolSize, primary).initialize();
  const watch = new ServerWatch(primary, onChange);
  watch.onApplicationBootstrap();
  return {
    dataSource,
    close: async () => {
      await watch.onApplicationShutdown();
      await dataSource.destroy();
    },
  };
}
