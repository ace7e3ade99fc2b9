import { existsSync, fdatasyncSync, openSync, readFileSync, truncateSync, writeFileSync, writeSync } from 'node:fs';

/** A notification, as far as this example reads it. */
export interface Notification {
  readonly payload: { readonly id: string; readonly event: { readonly hub: { readonly topic: string } } };
  readonly context: readonly [{ readonly entry: readonly { readonly resource: Resource }[] }];
}

/** A Patient, a Task or a DocumentReference. */
interface Resource {
  readonly resourceType: string;
  readonly name?: readonly { readonly given?: readonly string[]; readonly family?: readonly string[] }[];
}

/**
 * Notifications in a file, one a line, each once however often it is delivered. What is in it was acknowledged, and is
 * handled after that, at leisure; after a restart, too. In a system of your own this is a table whose key is the
 * delivery's id.
 */
export class Inbox {
  private readonly file: number;
  private readonly ids = new Set<string>();
  private readonly waiting: Notification[] = [];
  private handled: number;
  private wakeUp: () => void = () => undefined;

  constructor(private readonly path: string) {
    this.handled = existsSync(this.handledPath) ? Number(readFileSync(this.handledPath, 'utf8')) : 0;
    this.file = openSync(path, 'a');
    const kept = readFileSync(path);
    // A line without an end was not acknowledged: it will come again.
    const whole = kept.subarray(0, kept.lastIndexOf('\n') + 1);
    truncateSync(path, whole.length);
    for (const line of whole.toString().split('\n').slice(0, -1)) this.keep(JSON.parse(line) as Notification);
    this.waiting.splice(0, this.handled);
  }

  /** False when it is here already. When this returns, it is on the disk. */
  receive(body: Buffer): boolean {
    // The body is one line of JSON.
    const line = body.toString();
    const notification = JSON.parse(line) as Notification;
    if (this.ids.has(notification.payload.id)) return false;
    writeSync(this.file, `${line}\n`);
    fdatasyncSync(this.file);
    this.keep(notification);
    this.wakeUp();
    return true;
  }

  /**
   * Hands one after the other to `handle`, in their order. One that was handled during a crash is handled once more.
   */
  async work(handle: (notification: Notification) => Promise<void>): Promise<never> {
    for (;;) {
      for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
        await handle(next);
        this.handled += 1;
        writeFileSync(this.handledPath, String(this.handled));
      }
      await new Promise<void>((resolve) => {
        this.wakeUp = resolve;
      });
    }
  }

  private keep(notification: Notification): void {
    this.ids.add(notification.payload.id);
    this.waiting.push(notification);
  }

  private get handledPath(): string {
    return `${this.path}.handled`;
  }
}
