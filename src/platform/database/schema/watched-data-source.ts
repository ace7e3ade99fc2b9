import type { DataSource } from 'typeorm';

import { Primary } from '../connection/primary.js';
import type { ServerState } from '../connection/server-watch.js';
import { ServerWatch } from '../connection/server-watch.js';
import { createDataSource } from './data-source.js';

/** A data source that is connected, until it is closed. */
interface WatchedDataSource {
  readonly dataSource: DataSource;
  readonly close: () => Promise<void>;
}

/**
 * Connects to the database at `url` for statements that may take hours: `ServerWatch` finds those that a server which
 * is gone will never answer, and they fail. `onChange` is called when its state changes.
 */
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
