import type { TestCertificate } from '../support/scripted-subscriber-certificates.js';
import type { Behaviour, ScriptedSubscriber } from '../support/scripted-subscriber.js';
import { answers, startScriptedSubscriber } from '../support/scripted-subscriber.js';
import type { Notification, SubscriberLedger } from './ledger.js';

/**
 * A subscriber whose address stays while it comes and goes, and which notes what it was sent. It answers 200 at first.
 */
export class Receiver {
  private behaviour: Behaviour = answers(200);

  private constructor(
    private subscriber: ScriptedSubscriber,
    readonly ledger: SubscriberLedger,
    readonly callback: string,
    readonly port: number,
  ) {}

  static async start(ledger: SubscriberLedger): Promise<Receiver> {
    const subscriber = await startScriptedSubscriber();
    const receiver = new Receiver(subscriber, ledger, subscriber.url(), subscriber.port);
    receiver.attend(subscriber);
    return receiver;
  }

  /** Notifications that reached it since it last came up. */
  get notifications(): ScriptedSubscriber['notifications'] {
    return this.subscriber.notifications;
  }

  /** What notifications meet from now on. */
  behave(behaviour: Behaviour): void {
    this.behaviour = behaviour;
  }

  /** Takes no connection any more; those that stand are broken. */
  down(): Promise<void> {
    return this.subscriber.close();
  }

  /** Comes back at its address, with another certificate if one is given. */
  async up(certificate?: TestCertificate): Promise<void> {
    this.subscriber = await startScriptedSubscriber({ port: this.port, ...(certificate && { tls: certificate }) });
    this.attend(this.subscriber);
  }

  private attend(subscriber: ScriptedSubscriber): void {
    subscriber.behave((request, answer, socket) => {
      const notification = notificationOf(request.body);
      this.ledger.receive(notification);
      // A status is an acknowledgement from when it is sent, whatever becomes of the body behind it.
      answer.once('close', () => {
        if (answer.headersSent && answer.statusCode >= 200 && answer.statusCode < 300)
          this.ledger.acknowledge(notification);
      });
      this.behaviour(request, answer, socket);
    });
  }
}

interface Body {
  readonly payload: { readonly id: string };
  readonly context: readonly [
    {
      readonly entry: readonly [{ readonly resource: { readonly identifier: readonly { readonly value: string }[] } }];
    },
  ];
}

/** The first identifier of the Task is the event's id. */
export function notificationOf(body: Buffer): Notification {
  const { payload, context } = JSON.parse(body.toString()) as Body;
  const [identifier] = context[0].entry[0].resource.identifier;
  if (identifier === undefined) throw new Error('a notification names no event');
  return { eventId: identifier.value, deliveryId: payload.id, body };
}
